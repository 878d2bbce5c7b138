import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type ExportedRow = Readonly<Record<string, unknown>>;

export type MatchKey = { readonly job_id: string; readonly id: string };

/** Lists what was observed of matches. */
export function exportObservations(db: Reader, matches: readonly MatchKey[]): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select observed.match_id, to_json(features) as features, value, weight, observed_at
    from unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join learning_observations as observed on observed.job_id = own.job_id and observed.match_id = own.id
    order by observed_at, observed.match_id`);
}

/** Lists what was observed of the member as a candidate for jobs. The match is of another member, and is left out. */
export function exportCandidates(db: Reader, member_id: string): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select job_id, to_json(features) as features from learning_candidates
    where member_id = ${member_id} order by job_id, match_id limit 10000`);
}

/** Deletes what was observed of matches. */
export async function deleteObservations(tx: Transaction, matches: readonly MatchKey[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    delete from learning_observations
    using unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where learning_observations.job_id = gone.job_id and learning_observations.match_id = gone.id`);
}

/** Deletes what was observed of the member as a candidate for jobs. */
export async function deleteCandidates(tx: Transaction, member_id: string): Promise<void> {
  // A change on all nodes of a distributed database waits for others of its kind.
  const found = await tx.find(
    sql<{ job_id: string }>`select job_id from learning_candidates where member_id = ${member_id} limit 1`,
  );
  if (found) await tx.run(sql`delete from learning_candidates where member_id = ${member_id}`);
}
