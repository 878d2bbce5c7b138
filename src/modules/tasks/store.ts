import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { TaskRecord } from './rules.ts';

/** The record of a task that this user started, or undefined. */
export function findTask(
  db: Reader,
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

/** The records of tasks that a member started, oldest first. */
export function listMemberTasks(db: Reader, member_id: string): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select id, name, status, progress_done, progress_total, result_url, error, created_at, updated_at from tasks
    where user_id in (select id from users where member_id = ${member_id}) order by created_at, id`);
}

/** Deletes the records of tasks that a member started. */
export async function deleteMemberTasks(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from tasks where user_id in (select id from users where member_id = ${member_id})`);
}
