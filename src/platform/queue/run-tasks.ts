import type { Clock } from '#platform/clock.ts';
import { sql, type Database, type Transaction } from '#platform/database/database.ts';
import type { Platform, Task } from '#platform/platform.ts';
import type { Enqueuer } from '#platform/queue/enqueue.ts';
import { recordFailure } from '#platform/queue/failed-tasks.ts';
import type { ClaimedTask } from '#platform/queue/queued-tasks.ts';
import { runTrackedTask } from '#platform/queue/task-record.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** What {@link runClaimedTasks} needs besides the queued tasks. */
export type Runner = Pick<Enqueuer, 'put'> & {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry?: Telemetry | undefined;
};

/** What became of queued tasks: done (or their next attempt is queued), failed for good, or to be returned to the queue. */
export type RunOutcome = 'done' | 'failed' | 'returned';

/** Runs a task once for claimed tasks with the same key: records the outcome, and queues the next attempt of those that failed. */
export async function runClaimedTasks(
  runner: Runner,
  platform: Platform,
  task: Task,
  queuedTasks: readonly [ClaimedTask, ...ClaimedTask[]],
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { log, metrics, telemetry } = runner;
  const { data, attempt } = queuedTasks[0].data;
  const event_ids = queuedTasks.flatMap(({ data: { event_id } }) => event_id ?? []);
  for (const { wait_seconds } of queuedTasks) metrics.observeTaskWait(task.name, wait_seconds);
  const started = performance.now();
  const measureSeconds = () => (performance.now() - started) / 1000;
  try {
    // The queue stores the data that `send`, `start` or `emit` accepted for this task.
    const run = () =>
      runTrackedTask(platform, task, data as never, {
        task_ids: listRecords(queuedTasks),
        signal,
        event_ids,
      });
    await (telemetry?.traceRun(
      `task ${task.name}`,
      { 'tessera.task': task.name, 'tessera.attempt': attempt },
      run,
    ) ?? run());
    metrics.observeTask(task.name, 'succeeded', measureSeconds());
    return 'done';
  } catch (error) {
    // If this process is stopping, or the queue has reassigned the task, the attempt does not count. Another worker runs the task.
    if (signal.aborted) {
      await runner.database.transaction((tx) => markRecords(tx, queuedTasks, 'queued', runner.clock.now()));
      return 'returned';
    }
    const wait_s = task.retry_seconds[attempt - 1];
    log.error(
      { task: task.name, attempt, err: error },
      wait_s === undefined ? 'the task failed' : 'the task failed and will be tried again',
    );
    metrics.observeTask(task.name, wait_s === undefined ? 'failed' : 'retried', measureSeconds());
    await queueNextAttempts(runner, task, queuedTasks, error);
    return wait_s === undefined ? 'failed' : 'done';
  }
}

function listRecords(queuedTasks: readonly ClaimedTask[]): readonly string[] {
  return queuedTasks.flatMap(({ data }) => data.task_id ?? []);
}

/** Queues the next attempt of each by its own number of attempts. Those that have no further attempt have failed. */
function queueNextAttempts(
  { clock, database, put }: Runner,
  task: Task,
  queuedTasks: readonly ClaimedTask[],
  error: unknown,
): Promise<void> {
  return database.transaction(async (tx) => {
    const now = clock.now();
    for (const queuedTask of queuedTasks) {
      const { attempt } = queuedTask.data;
      const wait_s = task.retry_seconds[attempt - 1];
      await markRecords(tx, [queuedTask], wait_s === undefined ? 'failed' : 'queued', now);
      if (wait_s === undefined) {
        await recordFailure(tx, task.name, queuedTask.id, error);
        continue;
      }
      const start_after = new Date(now.getTime() + wait_s * 1000);
      await put(tx, task, { ...queuedTask.data, attempt: attempt + 1 }, start_after);
    }
  });
}

/** Marks the records of tasks that wait for their next attempt or have failed, unless another worker has finished them in the meantime. */
async function markRecords(
  tx: Transaction,
  queuedTasks: readonly ClaimedTask[],
  status: 'queued' | 'failed',
  now: Date,
): Promise<void> {
  const task_ids = listRecords(queuedTasks);
  if (task_ids.length === 0) return;
  const error = status === 'failed' ? 'The task failed after several attempts.' : null;
  await tx.run(sql`
    update tasks set status = ${status}, error = ${error}, updated_at = ${now}
    where id = any(${task_ids}::uuid[]) and status <> 'succeeded'`);
}
