import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberTasks, listMemberTasks } from './store.ts';

/** The background work that the member started. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'tasks', rows: await listMemberTasks(db, member_id) }];
}

/** Deletes its records, while the member's account still tells which they are. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberTasks(tx, member_id);
}
