import type { Job } from 'pg-boss';
import type { Clock } from '#platform/clock.ts';
import { sql, type Database, type Executor, type Transaction } from '#platform/database/database.ts';
import type { Platform, Task } from '#platform/platform.ts';
import type { Enqueuer, Envelope } from '#platform/queue/enqueue.ts';
import { runTrackedTask } from '#platform/queue/task-record.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** What {@link runJob} needs besides the job. */
export type Runner = Pick<Enqueuer, 'put'> & {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry?: Telemetry | undefined;
};

/** Runs one job of the queue: records its outcome, and queues the next attempt of a task that failed. */
export async function runJob(
  runner: Runner,
  platform: Platform,
  task: Task,
  job: Job<Envelope>,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, log, metrics, database, telemetry } = runner;
  const { data, attempt, task_id } = job.data;
  const signal = AbortSignal.any([job.signal, stopping].filter((each) => each instanceof AbortSignal));
  const started = performance.now();
  const measureSeconds = () => (performance.now() - started) / 1000;
  try {
    // The queue stores the data that `send`, `start` or `emit` accepted for this task.
    const run = () => runTrackedTask(platform, task, data as never, { task_id, signal });
    await (telemetry?.traceRun(
      `task ${task.name}`,
      { 'tessera.task': task.name, 'tessera.attempt': attempt },
      run,
    ) ?? run());
    metrics.observeTask(task.name, 'succeeded', measureSeconds());
  } catch (error) {
    // If this process is stopping, or the queue has reassigned the job, the attempt does not count. Another worker runs the task.
    if (signal.aborted) {
      await markQueued(database, task_id, clock.now());
      throw error;
    }
    const wait_s = task.retry_seconds[attempt - 1];
    log.error(
      { task: task.name, attempt, err: error },
      wait_s === undefined ? 'the task failed' : 'the task failed and will be tried again',
    );
    metrics.observeTask(task.name, wait_s === undefined ? 'failed' : 'retried', measureSeconds());
    await database.transaction(async (tx) => {
      if (wait_s === undefined) return markFailed(tx, task_id, clock.now());
      const start_after = new Date(clock.now().getTime() + wait_s * 1000);
      await markQueued(tx, task_id, clock.now());
      return runner.put(tx, task, { ...job.data, attempt: attempt + 1 }, start_after);
    });
  }
}

/** Marks a task that waits for its next attempt, unless another worker has finished it in the meantime. */
async function markQueued(executor: Executor, task_id: string | undefined, now: Date): Promise<void> {
  if (!task_id) return;
  await executor.run(
    sql`update tasks set status = 'queued', updated_at = ${now} where id = ${task_id} and status = 'running'`,
  );
}

async function markFailed(tx: Transaction, task_id: string | undefined, now: Date): Promise<void> {
  if (!task_id) return;
  const error = 'The task failed after several attempts.';
  await tx.run(
    sql`update tasks set status = 'failed', error = ${error}, updated_at = ${now} where id = ${task_id}`,
  );
}
