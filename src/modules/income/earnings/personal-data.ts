import { randomUUID } from 'node:crypto';
import { exportLedger, severHolder } from '#modules/income/ledger';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberReads, severReads } from './store.ts';

/** Who read the member, and everything that the ledger has of the member. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'reads', rows: await listMemberReads(db, member_id) },
    ...(await exportLedger(db, member_id)),
  ];
}

/**
 * Moves the reads and the books of the member to an id that belongs to nobody and that no other table has: amounts, times and organisations
 * stay, the person goes.
 */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  const successor_id = randomUUID();
  await severReads(tx, member_id, successor_id);
  await severHolder(tx, member_id, successor_id);
}
