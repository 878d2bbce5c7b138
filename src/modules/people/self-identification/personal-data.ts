import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteAnswers, listStoredAnswers } from './store.ts';

/** Exports what the member has said about themselves. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'self_identification', rows: await listStoredAnswers(db, member_id) }];
}

/** Deletes what the member has said about themselves. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteAnswers(tx, member_id);
}
