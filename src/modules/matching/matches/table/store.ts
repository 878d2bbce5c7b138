import type { MatchQuality } from '#modules/matching/engine';
import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { Clearance } from '#modules/matching/jobs';
import type { MatchStatus } from '../rules.ts';
import { matchColumns, selectOfJob, type Match } from '../store.ts';
import type { tableSorts, Turn } from './rules.ts';

/** Which matches of a job a table shows. */
export type TableFilter = {
  readonly job_id: string;
  readonly statuses: readonly MatchStatus[];
  readonly quality: MatchQuality | undefined;
  readonly without_developing: boolean;
  readonly label: string | undefined;
  /** Only matches that were added after `new_since`. */
  readonly is_new: boolean;
  readonly new_since: Date | undefined;
};

export type TableMatch = Match & { readonly is_new: boolean };

/** The position of a match in a table, which is the order of all lists: its tier and its random id. */
export type TablePlace = readonly [match_quality: MatchQuality, id: string];

/** Lists the matches that a table shows, best tier first and then by id, which is random. */
export function listTableMatches(
  db: Reader,
  filter: TableFilter,
  { after, limit }: { readonly after: TablePlace | undefined; readonly limit: number },
): Promise<TableMatch[]> {
  const from = after
    ? sql`and (match_quality, id) > (${after[0]}::match_quality, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<TableMatch>`
    select ${matchColumns}, coalesce(created_at > ${filter.new_since ?? null}::timestamptz, false) as is_new
    from ${selectOfJob(filter.job_id)} where ${buildCondition(filter)} ${from} order by match_quality, id limit ${limit}`);
}

/** Lists the matches of the job with some ids, in any order. */
export function listTableMatchesById(
  db: Reader,
  { job_id, new_since }: TableFilter,
  ids: readonly string[],
): Promise<TableMatch[]> {
  return db.list(sql<TableMatch>`
    select ${matchColumns}, coalesce(created_at > ${new_since ?? null}::timestamptz, false) as is_new
    from matches where job_id = ${job_id} and id = any(${ids}::uuid[])`);
}

/** What a table is sorted by, except the explanation. */
export type TableKey = Pick<Match, 'id' | 'match_quality' | 'match_status'> & {
  readonly is_new: boolean;
  readonly labels: readonly string[];
};

/** Lists what a table is sorted by, for the first `limit` matches in the order of the lists. */
export function listTableKeys(db: Reader, filter: TableFilter, limit: number): Promise<TableKey[]> {
  return db.list(sql<TableKey>`
    select id, match_quality, match_status, coalesce(created_at > ${filter.new_since ?? null}::timestamptz, false) as is_new,
      coalesce((select labels from private_notes where private_notes.job_id = ${filter.job_id} and match_id = matches.id), '{}') as labels
    from matches where ${buildCondition(filter)} order by match_quality, id limit ${limit}`);
}

/** Counts the matches that a table shows; a job has a bounded number of them. */
export function countTableMatches(db: Reader, filter: TableFilter): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from matches where ${buildCondition(filter)}`);
}

function buildCondition(filter: TableFilter): Statement {
  const { job_id, statuses, quality, without_developing, label, is_new, new_since } = filter;
  return sql`job_id = ${job_id} and match_status = any(${statuses}::match_status[])
    ${quality ? sql`and match_quality = ${quality}` : emptySql}
    ${without_developing ? sql`and (match_quality < 'developing' or match_status <> 'pending_review')` : emptySql}
    ${is_new ? sql`and created_at > ${new_since ?? null}::timestamptz` : emptySql}
    ${
      label === undefined
        ? emptySql
        : sql`and exists (select from private_notes where private_notes.job_id = ${job_id} and match_id = matches.id and ${label} = any(labels))`
    }`;
}

/** Lists which clearance members say they hold. */
export function listClearances(
  db: Reader,
  member_ids: readonly string[],
): Promise<{ readonly member_id: string; readonly clearance_held: Clearance }[]> {
  return db.list(sql<{ member_id: string; clearance_held: Clearance }>`
    select member_id, clearance_held from matching_preferences where member_id = any(${member_ids}::uuid[])`);
}

/** How an organisation likes to look at the people of its jobs. */
export type TableView = {
  readonly id: string;
  readonly name: string;
  readonly status: MatchStatus | null;
  readonly quality: MatchQuality | null;
  readonly waits_for: Turn | null;
  readonly label: string | null;
  readonly is_new: boolean;
  readonly sort: (typeof tableSorts)[number];
};

const viewColumns = sql`id, name, status, quality, waits_for, label, is_new, sort`;

/** Lists the views of an organisation by name, of which there are few. */
export function listViews(db: Reader, org_id: string): Promise<TableView[]> {
  return db.list(
    sql<TableView>`select ${viewColumns} from table_views where org_id = ${org_id} order by name, id`,
  );
}

/** Stores a view. One with the same name is replaced, and keeps its id. @returns the view as stored. */
export function upsertView(tx: Transaction, org_id: string, view: TableView): Promise<TableView> {
  const { id, name, status, quality, waits_for, label, is_new, sort } = view;
  return tx.one(sql<TableView>`
    insert into table_views (id, org_id, name, status, quality, waits_for, label, is_new, sort)
    values (${id}, ${org_id}, ${name}, ${status}, ${quality}, ${waits_for}, ${label}, ${is_new}, ${sort})
    on conflict (org_id, name) do update set
      status = excluded.status, quality = excluded.quality, waits_for = excluded.waits_for, label = excluded.label,
      is_new = excluded.is_new, sort = excluded.sort
    returning ${viewColumns}`);
}

/** Deletes a view of an organisation. @returns whether there was one. */
export async function deleteView(tx: Transaction, org_id: string, id: string): Promise<boolean> {
  const deleted = await tx.list(sql<{ id: string }>`
    delete from table_views where org_id = ${org_id} and id = ${id} returning id`);
  return deleted.length > 0;
}
