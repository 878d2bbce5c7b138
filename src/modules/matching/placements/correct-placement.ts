import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkVerifiedAdmin, moveMatch } from '#modules/matching/matches';
import { operation, reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { emitPlacement } from './emit-placement.ts';
import { findAvailableMember } from './find-available-member.ts';
import { correctBeginning, findNextStage, outcomes_max, type OutcomeRecord } from './rules.ts';
import { deleteNextStage, insertOutcome, listFeedback, listOutcomes, upsertNextStage } from './store.ts';
import { correctionInput, outcomeWire, toOutcomeWire } from './wire.ts';

export const correctPlacement = operation({
  name: 'placements.correctPlacement',
  title: 'Correct the date of a placement',
  summary:
    'Corrects a wrong beginning of a placement: a further record repeats the last outcome with the right date and the reason. The wrong record stays, and both dates are in the audit log. The stages of feedback follow the right date.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid, ...correctionInput }),
  output: { 201: outcomeWire },
  refuses: [
    'match_not_found',
    'match_status_conflict',
    'match_ended',
    'outcome_conflict',
    'email_not_verified',
  ],
  idempotent: true,
  location: ({ match_id }) => `/matches/${match_id}/outcomes`,
  run: async (context, { match_id, placed_at, reason }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      // It locks the match. One that is not placed has no placement, which the rules refuse.
      const match = await moveMatch(context, tx, match_id, 'placed');
      const member = await findAvailableMember(tx, match);
      const [before, feedback] = await Promise.all([listOutcomes(tx, match), listFeedback(tx, match)]);
      const last = before.at(-1);
      const corrected = correctBeginning(last, { placed_at: new Date(placed_at), feedback }, context.now());
      if (before.length === outcomes_max)
        throw new Refusal('outcome_conflict', { detail: `A match has at most ${outcomes_max} outcomes.` });
      const record: OutcomeRecord = {
        ...corrected,
        id: randomUUID(),
        reason,
        recorded_at: context.now(),
        corrects_date: true,
      };
      insertOutcome(tx, match, record, before.length + 1);
      const next = findNextStage(record, context.now());
      await (next ? upsertNextStage(tx, match, next) : deleteNextStage(tx, match));
      await emitPlacement(context, tx, { match, member, record });
      await recordCallerAudit(context, tx, {
        action: 'feedback.placement_corrected',
        member_id: match.member_id,
        org_id: match.org_id,
        detail: {
          match_id: match.id,
          placed_at_before: last!.placed_at!.toISOString(),
          placed_at: record.placed_at!.toISOString(),
        },
      });
      return reply(201, toOutcomeWire(match.id, record));
    });
  },
});
