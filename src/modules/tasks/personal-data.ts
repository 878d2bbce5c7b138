import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { deleteTasksOf, listTasksOf } from './store.ts';

/** The background work that the member started. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [{ name: 'tasks', rows: await listTasksOf(db, member_id) }];
}

/** Deletes its records, while the member's account still tells which they are. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteTasksOf(tx, member_id);
}
