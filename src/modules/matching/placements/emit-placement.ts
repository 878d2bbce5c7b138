import {
  computeAlias,
  isContactShared,
  placementCreated,
  placementUpdated,
  type Match,
} from '#modules/matching/matches';
import type { Member } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import type { OutcomeRecord } from './rules.ts';

type Recorded = { readonly match: Match; readonly member: Member; readonly record: OutcomeRecord };

/** Emits the event of a placement that has begun or changed; none if nothing came of the match. */
export async function emitPlacement(
  context: Context<'org_admin' | 'platform_admin'>,
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
