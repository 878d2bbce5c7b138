import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob } from '#modules/matching/jobs';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { queueAnnouncement } from './announce-interests.ts';
import { moveMatches } from './move-matches.ts';
import { seenStatusInput } from './seen-status.ts';
import { checkUndoSeconds, undoSecondsInput } from './undo-seconds.ts';
import { decided_max, decisionWire } from './wire.ts';

const decisions = ['org_interested', 'org_passed', 'pending_review'] as const;

export const decideMatches = operation({
  name: 'matches.decideMatches',
  summary:
    'Sets the same decision on up to 100 matches of a job, like PUT /matches/{match_id}/status on each of them. Matches that cannot be moved are listed with the reason, and the others are moved.',
  who: ['org_admin'],
  input: Type.Object({
    job_id: uuid,
    match_ids: field(
      Type.Array(uuid, { minItems: 1, maxItems: decided_max, uniqueItems: true }),
      'The matches to decide on.',
      [sampleIds.match],
    ),
    status: field(
      Type.Enum(decisions),
      'The decision of the organisation. `pending_review` takes an earlier one back.',
      'org_passed',
    ),
    undo_seconds: undoSecondsInput,
    seen_status: seenStatusInput,
  }),
  output: { 200: decisionWire },
  refuses: ['job_not_found', 'email_not_verified'],
  checks: [checkUndoSeconds],
  run: async (context, { job_id, match_ids, status, seen_status, undo_seconds = 0 }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const job = await findOrganisationJob(tx, context.caller.org_id, job_id);
      if (!job) throw new Refusal('job_not_found');
      const decision_id = undo_seconds > 0 ? randomUUID() : undefined;
      const moves = await moveMatches(context, tx, { job_id, match_ids, status, seen_status, decision_id });
      if (decision_id === undefined || moves.moved.length === 0) return { decision_id: null, ...moves };
      const match = { job_id, org_id: context.caller.org_id };
      await queueAnnouncement(context, tx, match, { status, decision_id, undo_seconds });
      return { decision_id, ...moves };
    });
  },
});
