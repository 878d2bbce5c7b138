import { randomUUID } from 'node:crypto';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberReads, severReads } from './earnings/store.ts';
import { listMemberJournals, severHolder } from './journals/store.ts';
import { listMemberPayouts } from './payouts/store.ts';

/** Who read the member, and everything that the books have of the member. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const [reads, journals, payouts] = await Promise.all([
    listMemberReads(db, member_id),
    listMemberJournals(db, member_id),
    listMemberPayouts(db, member_id),
  ]);
  return [
    { name: 'reads', rows: reads },
    { name: 'ledger_postings', rows: journals },
    { name: 'payouts', rows: payouts },
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
