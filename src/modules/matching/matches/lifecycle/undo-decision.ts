import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob } from '#modules/matching/jobs';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { moveMatches } from './move-matches.ts';
import { listDecidedMatches } from './store.ts';
import { decisionWire } from './wire.ts';

export const undoDecision = operation({
  name: 'matches.undoDecision',
  summary:
    'Takes a decision on several matches back as a whole. Matches that somebody has moved since stay as they are. An interest that was announced is not part of it: it can be withdrawn match by match.',
  who: ['org_admin'],
  input: Type.Object({
    job_id: uuid,
    decision_id: field(uuid, 'The decision_id in the reply to the decision.', sampleIds.task),
  }),
  output: { 200: decisionWire },
  refuses: ['job_not_found', 'decision_not_found', 'email_not_verified'],
  run: async (context, { job_id, decision_id }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const job = await findOrganisationJob(tx, context.caller.org_id, job_id);
      if (!job) throw new Refusal('job_not_found');
      const match_ids = await listDecidedMatches(tx, job_id, decision_id);
      if (match_ids.length === 0) throw new Refusal('decision_not_found');
      const moves = await moveMatches(context, tx, {
        job_id,
        match_ids,
        status: 'pending_review',
        undone_id: decision_id,
      });
      return { decision_id, ...moves };
    });
  },
});
