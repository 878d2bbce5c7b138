import { sql } from '#platform/database/database.ts';
import type { Platform, Task, TaskContext } from '#platform/platform.ts';

/** Runs a task. If a user waits for it, updates the record that `GET /tasks/{task_id}` shows. */
export async function runTrackedTask(
  platform: Platform,
  task: Task,
  data: never,
  { task_id, signal }: { readonly task_id: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const context = { ...platform, signal };
  if (task_id === undefined)
    return void (await task.run({ ...context, reportProgress: async () => undefined }, data));
  await updateTaskRecord(platform, task_id, 'running', null);
  const result = await task.run(
    { ...context, reportProgress: createProgressWriter(platform, task_id) },
    data,
  );
  await updateTaskRecord(platform, task_id, 'succeeded', result?.result_url ?? null);
}

async function updateTaskRecord(
  { database, now }: Platform,
  task_id: string,
  status: string,
  result_url: string | null,
): Promise<void> {
  await database.run(
    sql`update tasks set status = ${status}, result_url = ${result_url}, updated_at = ${now()} where id = ${task_id}`,
  );
}

const between_writes_ms = 1_000;

function createProgressWriter({ database, now }: Platform, task_id: string): TaskContext['reportProgress'] {
  let written_at = -Infinity;
  return async (done, total) => {
    if (done < total && performance.now() - written_at < between_writes_ms) return;
    written_at = performance.now();
    await database.run(sql`
      update tasks set progress_done = ${done}, progress_total = ${total}, updated_at = ${now()} where id = ${task_id}`);
  };
}
