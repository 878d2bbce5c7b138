import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { createdSeconds, deleteFromMembers, type EndedMatch, type ListedKey, type Match } from '../store.ts';
import type { MatchStatus } from '../rules.ts';

/** A match as its events need it. */
type StoredMatch = Pick<Match, 'id' | 'job_id' | 'org_id' | 'member_id' | 'version'>;

/** Expires the open matches of a job. @returns those in which the organisation was interested. */
export async function expireJobMatches(tx: Transaction, job_id: string): Promise<EndedMatch[]> {
  const expired = await tx.list(sql<EndedMatch & Pick<ListedKey, 'created_seconds'>>`
    update matches set match_status = 'expired', expired_from = match_status
    where job_id = ${job_id} and match_status in ('pending_review', 'org_interested', 'member_accepted')
    returning id, job_id, org_id, member_id, version, expired_from as ended_from, ${createdSeconds}`);
  await setMemberStatus(tx, expired, 'expired');
  return expired.filter(({ ended_from }) => ended_from !== 'pending_review');
}

/**
 * Deletes the expired matches of a job on which no one had acted, so that their members can be matched with it again. Those that `keepMatch` has made
 * stay are pending again, so that what belongs to them is not lost.
 *
 * @returns those that are pending again.
 */
export async function forgetUnseenExpirations(tx: Transaction, job_id: string): Promise<StoredMatch[]> {
  const deleted = await tx.list(sql<ListedKey>`
    delete from matches
    where job_id = ${job_id} and match_status = 'expired' and expired_from = 'pending_review' and not is_kept
    returning id, job_id, member_id, ${createdSeconds}`);
  await deleteFromMembers(tx, deleted);
  const kept = await tx.list(sql<StoredMatch & Pick<ListedKey, 'created_seconds'>>`
    update matches set match_status = 'pending_review', expired_from = null
    where job_id = ${job_id} and match_status = 'expired' and expired_from = 'pending_review' and is_kept
    returning id, job_id, org_id, member_id, version, ${createdSeconds}`);
  await setMemberStatus(tx, kept, 'pending_review');
  return kept;
}

/** Gives matches in the lists of their members the status that they have in `matches`. */
async function setMemberStatus(
  tx: Transaction,
  matches: readonly Omit<ListedKey, 'job_id'>[],
  status: MatchStatus,
): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    update member_matches set match_status = ${status}
    from unnest(${matches.map((match) => match.member_id)}::uuid[], ${matches.map((match) => match.created_seconds)}::double precision[],
      ${matches.map((match) => match.id)}::uuid[]) as moved (member_id, created_seconds, id)
    where member_matches.member_id = moved.member_id and member_matches.created_at = to_timestamp(moved.created_seconds) and match_id = moved.id`);
}

/** Lists the matches that a decision has moved, and that nobody has moved since, in the order in which moves lock them. */
export async function listDecidedMatches(
  db: Reader,
  job_id: string,
  decision_id: string,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from matches where job_id = ${job_id} and decision_id = ${decision_id} order by id`);
  return rows.map(({ id }) => id);
}

/** Stores that the interests of a decision are announced. @returns those that were waiting for it. */
export function announceWaitingInterests(
  tx: Transaction,
  job_id: string,
  decision_id: string,
): Promise<StoredMatch[]> {
  return tx.list(sql<StoredMatch>`
    with waiting as materialized (
      select id from matches where job_id = ${job_id} and decision_id = ${decision_id} and match_status = 'org_interested'
      order by id for no key update)
    update matches set decision_id = null, proposals = proposals + 1
    where job_id = ${job_id} and id = any(array(select id from waiting))
    returning id, job_id, org_id, member_id, version`);
}
