import { randomUUID } from 'node:crypto';
import { recordCallerAudit } from '#modules/operations/audit';
import {
  checkVerifiedAdmin,
  computeAlias,
  isContactShared,
  moveMatch,
  placementCreated,
  placementUpdated,
  type Match,
} from '#modules/matching/matches';
import type { Member } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { reply, type Context } from '#platform/operation.ts';
import { findAvailableMember } from './find-available-member.ts';
import { findNextStage, listStages, type DatedOutcome, type OutcomeRecord } from './rules.ts';
import { deleteNextStage, insertOutcome, listOutcomes, lockNextStage, upsertNextStage } from './store.ts';
import { outcomeWire, toOutcomeWire } from './wire.ts';

type OutcomeContext = Context<'org_admin' | 'platform_admin'>;

/** What the operations that add an outcome have in common. */
export const outcomeOperation = {
  output: { 201: outcomeWire },
  refuses: [
    'match_not_found',
    'match_status_conflict',
    'match_ended',
    'outcome_conflict',
    'email_not_verified',
  ],
  idempotent: true,
  location: ({ match_id }: { readonly match_id: string }) => `/matches/${match_id}/outcomes`,
} as const;

type Addition = {
  readonly match_id: string;
  readonly reason: string | null;
  readonly corrects_date: boolean;
  readonly match_status: 'placed' | 'closed';
  /** Decides what follows the outcomes of the match, which the transaction has locked. */
  readonly decide: (
    before: readonly OutcomeRecord[],
    tx: Transaction,
    match: Match,
  ) => DatedOutcome | Promise<DatedOutcome>;
};

/** Adds an outcome to a match. Its stages, its event and its audit entry follow in the same transaction. */
export async function addOutcome(context: OutcomeContext, addition: Addition) {
  const { match_id, reason, corrects_date, match_status, decide } = addition;
  await checkVerifiedAdmin(context);
  return context.transaction(async (tx) => {
    const { match } = await moveMatch(context, tx, match_id, match_status);
    const member = await findAvailableMember(tx, match);
    const before = await listOutcomes(tx, match);
    const decided = await decide(before, tx, match);
    const now = context.now();
    const record: OutcomeRecord = { ...decided, id: randomUUID(), reason, recorded_at: now, corrects_date };
    insertOutcome(tx, match, record, before.length + 1);
    await updateNextStage(tx, match, record);
    await emitPlacement(context, tx, { match, member, record });
    await recordCallerAudit(context, tx, {
      action: corrects_date ? 'feedback.placement_corrected' : 'feedback.outcome_recorded',
      member_id: match.member_id,
      org_id: match.org_id,
      detail: {
        match_id,
        ...(corrects_date ? describeDates(before.at(-1), record) : { outcome: record.outcome }),
      },
    });
    return reply(201, toOutcomeWire(match_id, record));
  });
}

function describeDates(wrong: OutcomeRecord | undefined, { placed_at }: OutcomeRecord) {
  return { placed_at_before: wrong!.placed_at!.toISOString(), placed_at: placed_at!.toISOString() };
}

/**
 * A new placement waits for its first stage, and one with another beginning for the first that has not opened. A placement that has ended
 * waits for no stage after its end.
 */
async function updateNextStage(tx: Transaction, match: Match, record: OutcomeRecord): Promise<void> {
  const { outcome, corrects_date, recorded_at } = record;
  const stages = listStages(record);
  const waiting = corrects_date ? findNextStage(record, recorded_at) : stages[0];
  if (waiting && (corrects_date || outcome === 'placed')) return upsertNextStage(tx, match, waiting);
  const next = await lockNextStage(tx, match);
  if (next && (corrects_date || !stages.some(({ stage_days }) => stage_days === next.stage_days)))
    await deleteNextStage(tx, match);
}

type Recorded = { readonly match: Match; readonly member: Member; readonly record: OutcomeRecord };

/** Emits the event of a placement that has begun or changed; none if nothing came of the match. */
async function emitPlacement(
  context: OutcomeContext,
  tx: Transaction,
  { match, member, record }: Recorded,
): Promise<void> {
  const { id: match_id, job_id, org_id, member_id, match_status } = match;
  const { outcome, placed_at, ended_at, corrects_date } = record;
  if (outcome === 'not_placed') return;
  const isNew = outcome === 'placed' && !corrects_date;
  await context.queue.emit(tx, isNew ? placementCreated : placementUpdated, {
    match_id,
    job_id,
    org_id,
    member_id,
    shown_member_id: isContactShared(match_status, member) ? member_id : computeAlias(context, match),
    outcome,
    placed_at: placed_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  });
}
