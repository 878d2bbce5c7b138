import { sql } from '#platform/database/database.ts';
import type { Platform, Task, TaskContext } from '#platform/platform.ts';

type RunOptions = {
  /** The records of the users who wait for this run. */
  readonly task_ids: readonly string[];
  readonly signal: AbortSignal;
  /** The events that queued the task, if it uses them. */
  readonly event_ids: readonly string[];
};

/** Runs a task. If users wait for it, updates the records that `GET /tasks/{task_id}` shows. */
export async function runTrackedTask(
  platform: Platform,
  task: Task,
  data: never,
  { task_ids, signal, event_ids }: RunOptions,
): Promise<void> {
  const context = { ...platform, signal, event_ids };
  if (task_ids.length === 0)
    return void (await task.run({ ...context, reportProgress: async () => undefined }, data));
  await updateTaskRecords(platform, task_ids, 'running', null);
  const result = await task.run(
    { ...context, reportProgress: createProgressWriter(platform, task_ids) },
    data,
  );
  await updateTaskRecords(platform, task_ids, 'succeeded', result?.result_url ?? null);
}

async function updateTaskRecords(
  { database, now }: Platform,
  task_ids: readonly string[],
  status: string,
  result_url: string | null,
): Promise<void> {
  await database.run(sql`
    update tasks set status = ${status}, result_url = ${result_url}, updated_at = ${now()} where id = any(${task_ids}::uuid[])`);
}

const between_writes_ms = 1_000;

function createProgressWriter(
  { database, now }: Platform,
  task_ids: readonly string[],
): TaskContext['reportProgress'] {
  let written_at = -Infinity;
  return async (done, total) => {
    if (done < total && performance.now() - written_at < between_writes_ms) return;
    written_at = performance.now();
    await database.run(sql`
      update tasks set progress_done = ${done}, progress_total = ${total}, updated_at = ${now()} where id = any(${task_ids}::uuid[])`);
  };
}
