import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listPaymentsAbout, severMember } from './store.ts';

/** Exports what was paid for reads of the member's data. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'payments', rows: await listPaymentsAbout(db, member_id) }];
}

/** Severs the member from these payments, and deletes the results of the reads. A payment without a read is refunded. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await severMember(tx, member_id);
}
