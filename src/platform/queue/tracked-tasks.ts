import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';

/** The record of a task that a user started and may watch. */
export type TrackedTask = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly progress_done: number;
  readonly progress_total: number;
  readonly result_url: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Finds the record of a task that this user started. */
export function findTask(
  db: Reader,
  { id, user_id }: { readonly id: string; readonly user_id: string },
): Promise<TrackedTask | undefined> {
  return db.find(sql<TrackedTask>`
    select id, status, progress_done, progress_total, result_url, error, created_at, updated_at
    from tasks where id = ${id} and user_id = ${user_id}`);
}

/** Deletes at most `limit` records of tasks that ended before a time. @returns how many were deleted. */
export function deleteFinishedTasks(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from tasks where id in (
      select id from tasks where status in ('succeeded', 'failed') and updated_at < ${before} limit ${limit})`);
}

/** Lists the tasks that a member started, the oldest first. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  const rows = await db.list(sql<Readonly<Record<string, unknown>>>`
    select id, name, status, progress_done, progress_total, result_url, error, created_at, updated_at from tasks
    where user_id = any(${user_ids}::uuid[]) order by created_at, id`);
  return [{ name: 'tasks', rows }];
}

/** Deletes the records of the tasks that a member started. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await tx.run(sql`delete from tasks where user_id = any(${user_ids}::uuid[])`);
}
