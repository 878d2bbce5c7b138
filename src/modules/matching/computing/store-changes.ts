import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** A transaction number: every change that has not been read yet has this number or a higher one. */
export type ChangeMark = string;

/** A change of a member. Of an erased member, only the last 32 bits of the id remain. */
export type Change = { readonly xid: ChangeMark; readonly id: number } & (
  | { readonly member_id: string; readonly erased_tail: null }
  | { readonly member_id: null; readonly erased_tail: number }
);

/** Finds the number of the oldest running transaction: what commits from now on has this number or a higher one. */
export async function findChangeMark(db: Reader): Promise<ChangeMark> {
  const { mark } = await db.one(
    sql<{ mark: ChangeMark }>`select pg_snapshot_xmin(pg_current_snapshot())::text as mark`,
  );
  return mark;
}

/** Lists committed changes from a mark on, in order. @param after The last change of the previous page. */
export function listChanges(
  db: Reader,
  since: ChangeMark,
  after: Pick<Change, 'xid' | 'id'> | undefined,
  limit: number,
): Promise<Change[]> {
  const { xid, id } = after ?? { xid: since, id: 0 };
  return db.list(sql<Change>`
    select xid::text as xid, id, member_id, erased_tail from matching_changes
    where (xid, id) > (${xid}::xid8, ${id}::bigint) order by matching_changes.xid, id limit ${limit}`);
}

/** Deletes changes that are older than a day by the clock of the database, which also dated them. */
export async function deleteOldChanges(db: Executor): Promise<void> {
  await db.run(sql`delete from matching_changes where changed_at < now() - interval '1 day'`);
}
