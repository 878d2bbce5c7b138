import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** A place in the order of transactions: what is not committed yet has this number or a higher one. */
export type ChangesMark = string;

/** The keys that changed, and where the next reading continues. */
type KeyChanges = { readonly mark: ChangesMark; readonly ids: readonly string[] };

/** Reads at most `limit` keys that changed since a mark or, without one, in transactions that were in progress a moment ago. */
export function readKeyChanges(
  db: Reader,
  since: ChangesMark | undefined,
  limit: number,
): Promise<KeyChanges> {
  return db.one(sql<KeyChanges>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as mark, array(
      select service_key_id from service_key_changes
      where xid >= coalesce(${since ?? null}::xid8, pg_snapshot_xmin(pg_current_snapshot())) limit ${limit}) as ids`);
}

/** Deletes at most `limit` changes that are older than this, by the clock of the database. @returns how many were deleted. */
export function deleteOldChanges(db: Executor, older_than_s: number, limit: number): Promise<number> {
  return db.run(sql`
    delete from service_key_changes where (xid, service_key_id) in (
      select xid, service_key_id from service_key_changes
      where changed_at < now() - make_interval(secs => ${older_than_s}::float8) limit ${limit})`);
}
