import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';
import type { PrivateNote } from './rules.ts';

type Place = Pick<Match, 'id' | 'job_id'>;

/** Finds what the organisation has noted about a match. */
export function findPrivateNote(db: Reader, { id, job_id }: Place): Promise<PrivateNote | undefined> {
  return db.find(sql<PrivateNote>`
    select note, labels from private_notes where job_id = ${job_id} and match_id = ${id}`);
}

/** Stores what the organisation has noted about a match, and replaces what it noted before. */
export async function upsertPrivateNote(
  tx: Transaction,
  { id, job_id }: Place,
  { note, labels }: PrivateNote,
): Promise<void> {
  await tx.run(sql`
    insert into private_notes (job_id, match_id, note, labels) values (${job_id}, ${id}, ${note}, ${labels}::text[])
    on conflict (job_id, match_id) do update set note = excluded.note, labels = excluded.labels`);
}

/** Deletes what the organisation has noted about a match. */
export async function deletePrivateNote(tx: Transaction, { id, job_id }: Place): Promise<void> {
  await tx.run(sql`delete from private_notes where job_id = ${job_id} and match_id = ${id}`);
}

/** Lists what the organisation has noted about matches of a job. */
export function listPrivateNotes(
  db: Reader,
  job_id: string,
  match_ids: readonly string[],
): Promise<(PrivateNote & { readonly match_id: string })[]> {
  return db.list(sql<PrivateNote & { readonly match_id: string }>`
    select match_id, note, labels from private_notes where job_id = ${job_id} and match_id = any(${match_ids}::uuid[])`);
}

const labels_max = 100;

/** Lists the labels that the organisation has given people of a job, at most a hundred. */
export async function listLabels(db: Reader, job_id: string): Promise<string[]> {
  const rows = await db.list(sql<{ label: string }>`
    select distinct unnest(labels) as label from private_notes where job_id = ${job_id} order by label limit ${labels_max}`);
  return rows.map(({ label }) => label);
}

/** Lists what the organisation has noted about all matches of some of its jobs. */
export function listNotesOfJobs(
  db: Reader,
  job_ids: readonly string[],
): Promise<(PrivateNote & { readonly match_id: string })[]> {
  return db.list(sql<PrivateNote & { readonly match_id: string }>`
    select match_id, note, labels from private_notes where job_id = any(${job_ids}::uuid[])`);
}
