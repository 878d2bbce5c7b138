import { sql, type Executor, type Reader } from '#platform/database/database.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';

/**
 * By node of the database, which of its transactions had committed at a time, in the form of PostgreSQL's `pg_snapshot`. Changes that are not
 * visible in it have not been read yet. A single PostgreSQL server is one node.
 */
export type ChangeSnapshots = ReadonlyMap<string, string>;

/** By node, the number of its oldest transaction that was running at a time: what committed later has this number or a higher one. */
export type ChangeMarks = ReadonlyMap<string, string>;

/** The place of a change in the log of its node. */
type ChangePlace = { readonly xid: string; readonly member_id: string };

/** A change of a member. Of an erased member, `member_id` has only the last 32 bits of the id; the others are zero. */
export type Change = ChangePlace & { readonly is_erased: boolean };

/** Finds for each node which transactions have committed. What commits from now on is not visible in it. */
export async function findChangeSnapshots(db: Reader): Promise<ChangeSnapshots> {
  const rows = await db.list(sql<{ node: string; snapshot: string }>`
    select find_database_node()::text as node, pg_current_snapshot()::text as snapshot from matching_change_shards`);
  const snapshots = new Map<string, string>();
  for (const { node, snapshot } of rows) {
    const earliest = snapshots.get(node);
    if (earliest === undefined || readMark(snapshot) < readMark(earliest)) snapshots.set(node, snapshot);
  }
  return snapshots;
}

/** Reads the number of the oldest running transaction from a snapshot, which is `oldest:next:running,…`. */
function readMark(snapshot: string): bigint {
  return BigInt(snapshot.slice(0, snapshot.indexOf(':')));
}

export function toMarks(snapshots: ChangeSnapshots): ChangeMarks {
  return new Map([...snapshots].map(([node, snapshot]) => [node, String(readMark(snapshot))]));
}

/**
 * Whether the log contains every change between the marks. A lower mark means that a node was restored from a backup. Another set of nodes
 * means that members have moved.
 */
export function hasEveryChange(before: ChangeMarks, now: ChangeMarks): boolean {
  return (
    before.size === now.size &&
    [...before].every(([node, mark]) => BigInt(now.get(node) ?? -1) >= BigInt(mark))
  );
}

/** Builds snapshots in which only the transactions before the marks are visible. */
export function toSnapshots(marks: ChangeMarks): ChangeSnapshots {
  return new Map([...marks].map(([node, mark]) => [node, `${mark}:${mark}:`]));
}

/** Lists committed changes of a node that are not visible in the snapshot, in order. @param after The last change of the previous page. */
export function listChanges(
  db: Reader,
  [node, snapshot]: readonly [node: string, snapshot: string],
  after: ChangePlace | undefined,
  limit: number,
): Promise<Change[]> {
  const { xid, member_id } = after ?? { xid: String(readMark(snapshot)), member_id: nil_uuid };
  return db.list(sql<Change>`
    select xid::text as xid, member_id, is_erased from matching_changes
    where node = ${node}::bigint and (xid, member_id) > (${xid}::xid8, ${member_id}::uuid)
      and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
    order by matching_changes.xid, member_id limit ${limit}`);
}

/**
 * Lists committed changes of jobs on a node that are not visible in the snapshot, in order, like {@link listChanges}.
 *
 * @param after The last change of the previous page.
 */
export function listJobChanges(
  db: Reader,
  [node, snapshot]: readonly [node: string, snapshot: string],
  after: JobChange | undefined,
  limit: number,
): Promise<JobChange[]> {
  const { xid, job_id } = after ?? { xid: String(readMark(snapshot)), job_id: nil_uuid };
  return db.list(sql<JobChange>`
    select xid::text as xid, job_id from job_changes
    where node = ${node}::bigint and (xid, job_id) > (${xid}::xid8, ${job_id}::uuid)
      and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
    order by job_changes.xid, job_id limit ${limit}`);
}

/** A change of a job, and its place in the log of its node. */
export type JobChange = { readonly xid: string; readonly job_id: string };

/**
 * Lists those of the members that have changed since the snapshots. The number of a transaction alone would not do: as long as an older one is
 * running anywhere on the server, every member who has changed since it began would seem to be one of them.
 */
export async function listChangedMembers(
  db: Reader,
  snapshots: ChangeSnapshots,
  member_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  if (member_ids.length === 0) return changed;
  for (const [node, snapshot] of snapshots) {
    const rows = await db.list(sql<{ member_id: string }>`
      select member_id from matching_changes
      where node = ${node}::bigint and xid >= ${String(readMark(snapshot))}::xid8 and member_id = any(${member_ids}::uuid[])
        and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)`);
    for (const { member_id } of rows) changed.add(member_id);
  }
  return changed;
}

/** Deletes at most `limit` changes of jobs that are older than a day, like {@link deleteOldChanges}. @returns how many rows were deleted. */
export function deleteOldJobChanges(db: Executor, limit: number): Promise<number> {
  return db.run(sql`
    delete from job_changes where (node, xid, job_id) in (
      select node, xid, job_id from job_changes where changed_at < now() - interval '1 day' limit ${limit})`);
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
