import { randomUUID } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkVerifiedAdmin, isParty, lockMatch, type Match } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findAvailableMember } from './find-available-member.ts';
import { feedbackResource, type Feedback } from './resource.ts';
import { checkStage } from './rules.ts';
import { findLastOutcome, insertFeedback } from './store.ts';

const input = Type.Object({ match_id: uuid, ...feedbackResource.createInput });

export const giveFeedback = operation({
  name: 'placements.giveFeedback',
  title: 'Give feedback on a match',
  summary:
    'Gives feedback on a placement once it has lasted 30, 90 or 180 days. The member and the organisation each answer once for each stage, and nothing changes an answer. Both sides read it.',
  who: ['member', 'org_admin'],
  input,
  output: { 201: feedbackResource.wire },
  refuses: ['match_not_found', 'match_ended', 'feedback_not_open', 'feedback_given', 'email_not_verified'],
  idempotent: true,
  location: ({ match_id }) => `/matches/${match_id}/feedback`,
  run: async (context, given) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const match = await lockOpenMatch(context, tx, given);
      const feedback = buildFeedback(context, match, given);
      if (!(await insertFeedback(tx, feedback))) throw new Refusal('feedback_given');
      await recordCallerAudit(context, tx, {
        action: 'feedback.feedback_given',
        // The entry appears in the log of the side that answered.
        ...(context.caller.role === 'member' ? { member_id: match.member_id } : { org_id: match.org_id }),
        detail: { match_id: match.id, stage_days: given.stage_days },
      });
      return reply(201, feedbackResource.toWire(feedback));
    });
  },
});

type FeedbackContext = Context<'member' | 'org_admin'>;

/**
 * Locks a match of the caller on which feedback is open, so that its placement cannot change before the answer is stored. A member who has withdrawn a consent can
 * still answer.
 */
async function lockOpenMatch(
  { caller, now }: FeedbackContext,
  tx: Transaction,
  { match_id, stage_days }: Static<typeof input>,
): Promise<Match> {
  const match = await lockMatch(tx, match_id);
  if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
  checkStage(await findLastOutcome(tx, match), stage_days, now());
  if (caller.role === 'org_admin') await findAvailableMember(tx, match);
  return match;
}

function buildFeedback(
  { caller, now }: FeedbackContext,
  { id: match_id, job_id }: Match,
  given: Static<typeof input>,
): Feedback {
  const respondent = caller.role === 'member' ? 'member' : 'organisation';
  const own = { id: randomUUID(), match_id, job_id, respondent, created_at: now() } as const;
  return { ...feedbackResource.complete(given), ...own };
}
