import type { Clock } from '#platform/clock.ts';
import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { FailedSelection, Task } from '#platform/platform.ts';
import type { Enqueuer } from '#platform/queue/enqueue.ts';
import type { Envelope } from '#platform/queue/queued-tasks.ts';

/** A task that has failed for good. pg-boss deletes it after a week. */
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
    ? sql`and (completed_on, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<FailedTask>`
    select id, name as task, coalesce((data->>'attempt')::integer, 1) as attempts, completed_on as failed_at,
      to_char(completed_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place,
      left(coalesce(output->>'message', output->'value'->>'message'), 500) as error
    from pgboss.job where state = 'failed' and completed_on is not null ${named} ${further} order by completed_on desc, id desc limit ${limit}`);
}

/** Counts the failed tasks. */
export async function countFailedTasks(db: Reader, task: string | undefined): Promise<number> {
  const named = task === undefined ? emptySql : sql`and name = ${task}`;
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from pgboss.job where state = 'failed' ${named}`,
  );
  return count;
}

const error_characters_max = 500;

/** Stores with a claimed task what its last attempt failed with. The log has the whole error. */
export async function recordFailure(
  tx: Transaction,
  name: string,
  id: string,
  error: unknown,
): Promise<void> {
  const output = JSON.stringify({ message: describeError(error) });
  await tx.run(sql`update pgboss.job set output = ${output}::jsonb where name = ${name} and id = ${id}`);
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL cannot store NUL, nor one half of a character.
  return text.replaceAll('\0', '').slice(0, error_characters_max).toWellFormed();
}

const retried_max = 1_000;

type Retrying = {
  readonly tasks: readonly Task[];
  readonly clock: Clock;
  readonly put: Enqueuer['put'];
};

/** Queues failed tasks again as new ones, at most a thousand. Those of a task that the service no longer has stay failed. */
export async function retryFailedTasks(
  { tasks, clock, put }: Retrying,
  tx: Transaction,
  failed: FailedSelection,
): Promise<number> {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const taken = await takeFailedTasks(tx, [...byName.keys()], failed);
  for (const { name, data } of taken) await put(tx, byName.get(name)!, { ...data, attempt: 1 });
  const task_ids = taken.flatMap(({ data }) => data.task_id ?? []);
  if (task_ids.length > 0)
    await tx.run(sql`
      update tasks set status = 'queued', error = null, updated_at = ${clock.now()} where id = any(${task_ids}::uuid[])`);
  return taken.length;
}

/** Removes failed tasks from the queue. Of two callers, one gets each. */
function takeFailedTasks(
  tx: Transaction,
  names: readonly string[],
  failed: FailedSelection,
): Promise<{ readonly name: string; readonly data: Envelope }[]> {
  const chosen = 'id' in failed ? sql`id = ${failed.id}` : sql`name = ${failed.task}`;
  return tx.list(sql<{ name: string; data: Envelope }>`
    delete from pgboss.job where state = 'failed' and id in (
      select id from pgboss.job where state = 'failed' and name = any(${names}::text[]) and ${chosen}
      order by completed_on, id limit ${retried_max} for update skip locked)
    returning name, data`);
}
