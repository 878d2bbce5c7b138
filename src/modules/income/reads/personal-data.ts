import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteAllOfMember, listAlignments, listFreeReads, listQuotes } from './store.ts';

/** Exports the prices that were quoted for the member's data, and what was read about the member and the culture of organisations. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'read_quotes', rows: await listQuotes(db, member_id) },
    { name: 'read_alignments', rows: await listAlignments(db, member_id) },
    { name: 'free_reads', rows: await listFreeReads(db, member_id) },
  ];
}

/** Deletes the quotes, alignments and free reads of the member. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteAllOfMember(tx, member_id);
}
