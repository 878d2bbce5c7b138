import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** A place in the order of transactions: every change that is not seen yet has this number or a higher one. */
export type ChangeMark = string;

export type Change = {
  readonly xid: ChangeMark;
  readonly id: number;
  /** Who changed; null for somebody who was erased, whose id ended in `erased_tail`. */
  readonly member_id: string | null;
  readonly erased_tail: number | null;
};

/** The number of the oldest transaction that is still under way: what commits from now on has this one or a higher one. */
export async function findChangeMark(db: Reader): Promise<ChangeMark> {
  const { mark } = await db.one(
    sql<{ mark: ChangeMark }>`select pg_snapshot_xmin(pg_current_snapshot())::text as mark`,
  );
  return mark;
}

/** Changes from a mark on, after one of them, in order: those of transactions that have committed. */
export function listChanges(
  db: Reader,
  since: ChangeMark,
  after: Pick<Change, 'xid' | 'id'> | undefined,
  limit: number,
): Promise<Change[]> {
  const { xid, id } = after ?? { xid: since, id: 0 };
  return db.list(sql<Change>`
    select xid::text as xid, id, member_id, erased_tail from matching_changes
    where (xid, id) > (${xid}::xid8, ${id}::bigint) order by xid, id limit ${limit}`);
}

/** Forgets the changes that are older than a day, by the database's clock, which dated them. */
export async function deleteOldChanges(db: Executor): Promise<void> {
  await db.run(sql`delete from matching_changes where changed_at < now() - interval '1 day'`);
}
