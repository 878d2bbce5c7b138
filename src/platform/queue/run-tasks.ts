import { sql } from '#platform/database/database.ts';
import { Postponement } from '#platform/queue/postponement.ts';
import type { Platform, Task, TaskContext } from '#platform/platform.ts';
import type { RunningTask } from '#platform/queue/stored-tasks.ts';
import type { RunOutcome, TasksOfRun } from '#platform/queue/runner.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

/** What {@link runTasks} reports to. */
export type Reports = {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry?: Telemetry | undefined;
};

/** Runs a task once for the tasks that it was claimed for. It never throws. */
export async function runTasks(
  { log, metrics, telemetry }: Reports,
  platform: Platform,
  task: Task,
  tasks: TasksOfRun,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { name, retry_seconds } = task;
  const [{ data, attempt }] = tasks;
  for (const { wait_seconds } of tasks) metrics.observeTaskWait(name, wait_seconds);
  const context: TaskContext = {
    ...platform,
    signal,
    event_ids: tasks.flatMap(({ event_id }) => event_id ?? []),
    reportProgress: createProgressWriter(platform, tasks),
  };
  const started = performance.now();
  const observe = (outcome: 'succeeded' | 'failed' | 'retried') =>
    metrics.observeTask(name, outcome, (performance.now() - started) / 1_000);
  // The queue stores the data that `send`, `start` or `emit` accepted for this task.
  const run = () =>
    task.run(
      context,
      data as never,
      tasks.map((each) => each.data as never),
    );
  try {
    const attributes = { 'tessera.task': name, 'tessera.attempt': attempt };
    const result = await (telemetry?.traceRun(`task ${name}`, attributes, run) ?? run());
    observe('succeeded');
    return { kind: 'succeeded', result_url: result?.result_url ?? null };
  } catch (error) {
    // If this process is stopping, or another worker may have the task, the attempt does not count.
    if (signal.aborted) return { kind: 'returned' };
    if (error instanceof Postponement) {
      log.warn({ task: name, attempt, reason: error.message }, 'the task cannot run yet');
      observe('retried');
      return { kind: 'postponed', error: error.message };
    }
    const isLast = retry_seconds[attempt - 1] === undefined;
    log.error(
      { task: name, attempt, err: error },
      isLast ? 'the task failed' : 'the task failed and will be tried again',
    );
    observe(isLast ? 'failed' : 'retried');
    return { kind: 'failed', error: describeError(error) };
  }
}

const error_characters_max = 500;

/** Describes an error for the operator. The log has the whole error. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL cannot store NUL, nor one half of a character.
  return text.replaceAll('\0', '').slice(0, error_characters_max).toWellFormed();
}

const between_writes_ms = 1_000;

/** Creates the function that stores progress for the users who watch. */
function createProgressWriter(
  { database, now }: Platform,
  tasks: readonly RunningTask[],
): TaskContext['reportProgress'] {
  const watched = tasks.flatMap(({ id, user_id }) => (user_id === null ? [] : id));
  let written_at = -Infinity;
  return async (done, total) => {
    if (watched.length === 0 || (done < total && performance.now() - written_at < between_writes_ms)) return;
    written_at = performance.now();
    await database.run(sql`
      update tasks set progress_done = ${done}, progress_total = ${total}, updated_at = ${now()} where id = any(${watched}::uuid[])`);
  };
}
