import { sql, type Executor, type Reader } from '#platform/database/database.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';

/**
 * By node of the database, the number of a transaction there: every change that has not been read yet has this number or a higher one. A
 * single PostgreSQL server is one node.
 */
export type ChangeMarks = ReadonlyMap<string, string>;

/** The place of a change in the log of its node. */
type ChangePlace = { readonly xid: string; readonly member_id: string };

/** A change of a member. Of an erased member, `member_id` has only the last 32 bits of the id; the others are zero. */
export type Change = ChangePlace & { readonly is_erased: boolean };

/** Finds for each node the number of its oldest running transaction: what commits there from now on has this number or a higher one. */
export async function findChangeMarks(db: Reader): Promise<ChangeMarks> {
  const rows = await db.list(sql<{ node: string; mark: string }>`
    select find_database_node()::text as node, pg_snapshot_xmin(pg_current_snapshot())::text as mark from matching_change_shards`);
  const marks = new Map<string, string>();
  for (const { node, mark } of rows) {
    const least = marks.get(node);
    if (least === undefined || BigInt(mark) < BigInt(least)) marks.set(node, mark);
  }
  return marks;
}

/** Lists committed changes of a node from a mark on, in order. @param after The last change of the previous page. */
export function listChanges(
  db: Reader,
  [node, mark]: readonly [node: string, mark: string],
  after: ChangePlace | undefined,
  limit: number,
): Promise<Change[]> {
  const { xid, member_id } = after ?? { xid: mark, member_id: nil_uuid };
  return db.list(sql<Change>`
    select xid::text as xid, member_id, is_erased from matching_changes
    where node = ${node}::bigint and (xid, member_id) > (${xid}::xid8, ${member_id}::uuid)
    order by matching_changes.xid, member_id limit ${limit}`);
}

/** Lists those of the members that have changed since the marks. */
export async function listChangedMembers(
  db: Reader,
  marks: ChangeMarks,
  member_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const [node, mark] of marks) {
    const rows = await db.list(sql<ChangePlace>`
      select member_id from matching_changes
      where node = ${node}::bigint and xid >= ${mark}::xid8 and member_id = any(${member_ids}::uuid[])`);
    for (const { member_id } of rows) changed.add(member_id);
  }
  return changed;
}

/**
 * Deletes at most `limit` changes that are older than a day by the clock of the database, which also dated them. @returns how many rows were
 * deleted.
 */
export function deleteOldChanges(db: Executor, limit: number): Promise<number> {
  return db.run(sql`
    delete from matching_changes where (node, xid, member_id) in (
      select node, xid, member_id from matching_changes where changed_at < now() - interval '1 day' limit ${limit})`);
}
