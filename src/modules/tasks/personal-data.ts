import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberTasks, listMemberTasks } from './store.ts';

/** The records of background tasks that the member started. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'tasks', rows: await listMemberTasks(db, member_id) }];
}

/** Deletes these records. Must run before the member's account is deleted, because the account links them to the member. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberTasks(tx, member_id);
}
