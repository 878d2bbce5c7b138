import { sql, type Executor } from '#platform/database.ts';
import type { TaskRecord } from './rules.ts';

/** The record of a task that this user started, or undefined. */
export function findTask(
  db: Executor,
  { id, user_id }: { readonly id: string; readonly user_id: string },
): Promise<TaskRecord | undefined> {
  return db.find(sql<TaskRecord>`
    select id, status, progress_done, progress_total, result_url, error, created_at, updated_at
    from tasks where id = ${id} and user_id = ${user_id}`);
}

/** Deletes the records of tasks that ended before a time. */
export async function deleteFinishedTasks(db: Executor, before: Date): Promise<void> {
  await db.run(sql`delete from tasks where status in ('succeeded', 'failed') and updated_at < ${before}`);
}
