import { emptySql, sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { FailedSelection } from '#platform/platform.ts';

/** A task that has failed for good. It is deleted after a week. */
export type FailedTask = {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly failed_at: Date;
  /** The time in microseconds, as the database has it, for the cursor. */
  readonly place: string;
  /** What the last attempt failed with; null if its worker was lost too often. */
  readonly error: string | null;
};

/** A place in the list, which begins with the latest failure. */
export type FailurePlace = readonly [failed_at: string, id: string];

/** Lists failed tasks, the latest first. @param after The last one of the previous page. */
export function listFailedTasks(
  db: Reader,
  task: string | undefined,
  after: FailurePlace | undefined,
  limit: number,
): Promise<FailedTask[]> {
  const named = task === undefined ? emptySql : sql`and name = ${task}`;
  const further = after
    ? sql`and (updated_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<FailedTask>`
    select id, name as task, attempt as attempts, updated_at as failed_at, error,
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
    from tasks where status = 'failed' ${named} ${further} order by updated_at desc, id desc limit ${limit}`);
}

/** Counts the failed tasks. */
export async function countFailedTasks(db: Reader, task: string | undefined): Promise<number> {
  const named = task === undefined ? emptySql : sql`and name = ${task}`;
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from tasks where status = 'failed' ${named}`,
  );
  return count;
}

const retried_max = 1_000;

/**
 * Queues failed tasks again with all attempts, the oldest first, at most a thousand. Of two callers, one gets each.
 *
 * @param names The tasks that the service has. Others stay failed.
 * @returns the name of each that was queued.
 */
export async function queueFailedTasks(
  tx: Transaction,
  names: readonly string[],
  failed: FailedSelection,
  now: Date,
): Promise<readonly string[]> {
  const chosen = 'id' in failed ? sql`id = ${failed.id}` : sql`name = ${failed.task}`;
  const queued = await tx.list(sql<{ name: string }>`
    update tasks set status = 'queued', attempt = 1, lost_workers = 0, error = null, due_at = now(), updated_at = ${now}
    where id = any(array(
      select id from tasks where status = 'failed' and name = any(${names}::text[]) and ${chosen}
      order by updated_at, id limit ${retried_max} for update skip locked))
    returning name`);
  return queued.map(({ name }) => name);
}

/** Deletes at most `limit` tasks that failed before a time. @returns how many were deleted. */
export function deleteFailedTasks(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from tasks where id in (
      select id from tasks where status = 'failed' and updated_at < ${before} limit ${limit})`);
}
