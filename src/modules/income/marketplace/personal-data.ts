import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberRows, severTransactions } from './store.ts';

/** Exports the purchases of the member's data on the marketplace. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'marketplace_transactions', rows: await listMemberRows(db, member_id) }];
}

/** Removes the member from the transactions, which the organisations keep. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await severTransactions(tx, member_id);
}
