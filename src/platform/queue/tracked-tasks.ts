import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';

/** A task that a user started and may watch. */
export type TrackedTask = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly progress_done: number;
  readonly progress_total: number;
  readonly result_url: string | null;
  /** That it failed. What it failed with is for the operator alone. */
  readonly error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** What the user who started a task sees of it. */
const trackedColumns = sql`
  id, status, progress_done, progress_total, result_url,
  case when status = 'failed' then 'The task failed after several attempts.' end as error, created_at, updated_at`;

/** Finds a task that this user started. */
export function findTask(
  db: Reader,
  { id, user_id }: { readonly id: string; readonly user_id: string },
): Promise<TrackedTask | undefined> {
  return db.find(sql<TrackedTask>`
    select ${trackedColumns} from tasks where id = ${id} and user_id = ${user_id}`);
}

/** Decides whether a task with a key (`merge_by`) waits or runs, so that it has neither succeeded nor failed for good. */
export async function isTaskUnderWay(db: Reader, name: string, merge_key: string): Promise<boolean> {
  const { is_under_way } = await db.one(sql<{ is_under_way: boolean }>`
    select exists (select from tasks where name = ${name} and merge_key = ${merge_key} and status = 'queued')
      or exists (select from tasks where name = ${name} and merge_key = ${merge_key} and status = 'running') as is_under_way`);
  return is_under_way;
}

/** Deletes at most `limit` tasks that succeeded before a time. @returns how many were deleted. */
export function deleteSucceededTasks(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from tasks where id in (
      select id from tasks where status = 'succeeded' and updated_at < ${before} limit ${limit})`);
}

/** Lists the tasks that a member started, the oldest first. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  const rows = await db.list(sql<Readonly<Record<string, unknown>>>`
    select name, ${trackedColumns} from tasks where user_id = any(${user_ids}::uuid[]) order by created_at, id`);
  return [{ name: 'tasks', rows }];
}

/**
 * Deletes the tasks that a member started, and those about the member that do not run; one that runs finds nothing to do. Every task about a
 * member has `member_id` or `user_id` in its data, so that it is found here.
 */
export async function erasePersonalData(
  tx: Transaction,
  member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await tx.run(sql`
    delete from tasks where user_id = any(${user_ids}::uuid[])
      or (status <> 'running' and (data->>'member_id' = ${member_id} or data->>'user_id' = any(${user_ids}::text[])))`);
}
