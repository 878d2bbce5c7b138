import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { recordInterest } from '../contact/add-to-contact.ts';
import { noteInput } from '../contact/wire.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { buildMatchView } from '../views.ts';
import type { Match } from '../store.ts';
import { matchWire, toWire } from '../wire.ts';
import { queueAnnouncement } from './announce-interests.ts';
import { moveMatch } from './move-match.ts';
import { checkSeenStatus, seenStatusInput } from './seen-status.ts';
import { checkUndoSeconds, undoSecondsInput } from './undo-seconds.ts';

const settableStatuses = ['org_interested', 'org_passed', 'pending_review', 'closed'] as const;

export const setMatchStatus = operation({
  name: 'matches.setMatchStatus',
  summary:
    'Sets the organisation’s decision on a match: interested or passed after the review, closed after the member has accepted. Until the member has answered, `pending_review` takes the decision back, and `org_passed` withdraws an interest. Setting the same status again changes nothing, except that a note that is given replaces the earlier one. The member reads the note after accepting.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({
    match_id: uuid,
    status: field(Type.Enum(settableStatuses), 'The decision of the organisation.', 'org_interested'),
    note: noteInput,
    undo_seconds: undoSecondsInput,
    seen_status: seenStatusInput,
  }),
  output: { 200: matchWire },
  etag: true,
  refuses: ['match_not_found', 'match_status_conflict', 'job_closed', 'email_not_verified'],
  tools: [
    {
      name: 'set_match_status',
      title: 'Set the status of a match',
      kind: 'write',
      roles: ['org_admin'],
      consent: 'Show interest in people, pass on them, or close a match',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Records the organisation’s decision on a match: org_interested asks the person, org_passed declines, pending_review takes either back until the person has answered, closed ends a match after both agreed. Ask the user before each decision about a person.',
    },
  ],
  checks: [
    ({ status, note }) => {
      if (typeof note === 'string' && status !== 'org_interested')
        throw createFieldRefusal(
          'field_invalid',
          '/note',
          'must only be given with the status org_interested',
        );
    },
    checkUndoSeconds,
  ],
  run: async (context, { match_id, status, note, seen_status, undo_seconds = 0 }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const readReply = async (match: Match) => toWire(await buildMatchView(context, tx, match));
      const decision_id = undo_seconds > 0 ? randomUUID() : undefined;
      const { match, isMoved } = await moveMatch(context, tx, match_id, status, {
        checkBefore: async (before) => {
          await checkIfMatch(context.request, () => readReply(before));
          checkSeenStatus(before, { status, seen_status });
        },
        decision_id,
      });
      if (status === 'org_interested') recordInterest(context.caller, tx, match, note);
      if (decision_id !== undefined && isMoved)
        await queueAnnouncement(context, tx, match, { status, decision_id, undo_seconds });
      return readReply(match);
    });
  },
});
