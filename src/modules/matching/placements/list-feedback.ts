import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { findMember, mayKeepMatches } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findReadableMatch } from './find-readable-match.ts';
import type { Feedback } from './resource.ts';
import { listStages } from './rules.ts';
import { findLastOutcome, listFeedback as listRecords } from './store.ts';
import { feedbackListWire, toFeedbackListWire } from './wire.ts';

export const listFeedback = operation({
  name: 'placements.listFeedback',
  title: 'Read feedback on a match',
  summary:
    'Reads all feedback on a match, and when its stages open. Its member, its organisation and platform administrators read it. After a member has withdrawn, the organisation reads no comment of the member any more.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: feedbackListWire },
  refuses: ['match_not_found', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { caller, database } = context;
    const match = await findReadableMatch(context, match_id);
    const [feedback, outcome, member] = await Promise.all([
      listRecords(database, match),
      findLastOutcome(database, match),
      findMember(database, match.member_id),
    ]);
    const isSelf = caller.role === 'member';
    const readable = isSelf || (member && mayKeepMatches(member)) ? feedback : feedback.map(hideComment);
    return toFeedbackListWire(readable, listStages(outcome));
  },
});

function hideComment(feedback: Feedback): Feedback {
  return feedback.respondent === 'member' ? { ...feedback, comment: null } : feedback;
}
