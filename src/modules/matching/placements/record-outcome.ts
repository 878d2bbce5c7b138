import { randomUUID } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkVerifiedAdmin, moveMatch, type Match } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { emitPlacement } from './emit-placement.ts';
import { findAvailableMember } from './find-available-member.ts';
import { decideOutcome, listStages, outcomes_max, type OutcomeRecord } from './rules.ts';
import { deleteNextStage, insertOutcome, listOutcomes, lockNextStage, upsertNextStage } from './store.ts';
import { outcomeInput, outcomeWire, toOutcomeWire } from './wire.ts';

const input = Type.Object({ match_id: uuid, ...outcomeInput });

export const recordOutcome = operation({
  name: 'placements.recordOutcome',
  title: 'Record the outcome of a match',
  summary:
    'Records what became of a match that the member has accepted: placed or not_placed, and after a placement extended or left. Earlier records stay. Both sides are asked for feedback 30, 90 and 180 days after the placement.',
  who: ['org_admin', 'platform_admin'],
  input,
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
  run: async (context, requested) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const status = requested.outcome === 'not_placed' ? 'closed' : 'placed';
      const match = await moveMatch(context, tx, requested.match_id, status);
      const member = await findAvailableMember(tx, match);
      const before = await listOutcomes(tx, match);
      const record = buildRecord(before, requested, context.now());
      insertOutcome(tx, match, record, before.length + 1);
      await updateNextStage(tx, match, record);
      await emitPlacement(context, tx, { match, member, record });
      await recordCallerAudit(context, tx, {
        action: 'feedback.outcome_recorded',
        member_id: match.member_id,
        org_id: match.org_id,
        detail: { match_id: match.id, outcome: record.outcome },
      });
      return reply(201, toOutcomeWire(match.id, record));
    });
  },
});

/** Decides on the outcome that is requested. @throws Refusal `outcome_conflict`, `field_invalid`. */
function buildRecord(
  before: readonly OutcomeRecord[],
  { outcome, placed_at, ended_at, reason = null }: Static<typeof input>,
  now: Date,
): OutcomeRecord {
  if (before.length === outcomes_max)
    throw new Refusal('outcome_conflict', { detail: `A match has at most ${outcomes_max} outcomes.` });
  const dates = { placed_at: parseTime(placed_at), ended_at: parseTime(ended_at) };
  const decided = decideOutcome(before.at(-1), { outcome, ...dates }, now);
  return { ...decided, id: randomUUID(), reason, recorded_at: now, corrects_date: false };
}

function parseTime(time: string | null | undefined): Date | undefined {
  return time === null || time === undefined ? undefined : new Date(time);
}

/** A new placement waits for its first stage. A placement that has ended waits for no stage after its end. */
async function updateNextStage(tx: Transaction, match: Match, record: OutcomeRecord): Promise<void> {
  const stages = listStages(record);
  if (record.outcome === 'placed') return upsertNextStage(tx, match, stages[0]!);
  const next = await lockNextStage(tx, match);
  if (next && !stages.some(({ stage_days }) => stage_days === next.stage_days))
    await deleteNextStage(tx, match);
}
