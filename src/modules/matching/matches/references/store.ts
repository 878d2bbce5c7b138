import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';

type Place = Pick<Match, 'id' | 'job_id'>;

/** What a program of the organisation has noted on a match. */
export type MatchReference = {
  readonly external_ref: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

export type ListedReference = MatchReference & { readonly match_id: string };

/** Stores what a program has noted on a match, and replaces what it noted before. */
export async function upsertReference(
  tx: Transaction,
  { id, job_id }: Place,
  { external_ref, metadata }: MatchReference,
): Promise<void> {
  await tx.run(sql`
    insert into match_references (job_id, match_id, external_ref, metadata)
    values (${job_id}, ${id}, ${external_ref}, ${JSON.stringify(metadata)}::jsonb)
    on conflict (job_id, match_id) do update set external_ref = excluded.external_ref, metadata = excluded.metadata`);
}

/** Deletes what a program has noted on a match. */
export async function deleteReference(tx: Transaction, { id, job_id }: Place): Promise<void> {
  await tx.run(sql`delete from match_references where job_id = ${job_id} and match_id = ${id}`);
}

/** Which references of a job are listed. */
export type ReferenceFilter = { readonly job_id: string; readonly external_ref: string | undefined };

export type ReferencePlace = readonly [match_id: string];

const buildCondition = ({ job_id, external_ref }: ReferenceFilter) =>
  sql`job_id = ${job_id} ${external_ref === undefined ? emptySql : sql`and external_ref = ${external_ref}`}`;

/** Lists what a program has noted on matches of a job, by match. */
export function listReferences(
  db: Reader,
  filter: ReferenceFilter,
  after: ReferencePlace | undefined,
  limit: number,
): Promise<ListedReference[]> {
  const from = after ? sql`and match_id > ${after[0]}::uuid` : emptySql;
  return db.list(sql<ListedReference>`
    select match_id, external_ref, metadata from match_references where ${buildCondition(filter)} ${from}
    order by match_id limit ${limit}`);
}

export function countReferences(db: Reader, filter: ReferenceFilter): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from match_references where ${buildCondition(filter)}`,
  );
}
