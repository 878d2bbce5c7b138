import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteCheckpoint } from './checkpoints/store.ts';
import { listMemberPayouts, severPayouts } from './payouts/store.ts';
import { listMemberJournals, severJournals } from './store.ts';

/** Everything that the ledger has of a member. */
export async function exportLedger(db: Reader, member_id: string): Promise<readonly PersonalDataRows[]> {
  const [journals, payouts] = await Promise.all([
    listMemberJournals(db, member_id),
    listMemberPayouts(db, member_id),
  ]);
  return [
    { name: 'ledger_postings', rows: journals },
    { name: 'payouts', rows: payouts },
  ];
}

/** Moves everything of an erased member to an id that belongs to nobody, so that the books stay as they are and name no person. */
export async function severHolder(tx: Transaction, member_id: string, successor_id: string): Promise<void> {
  await deleteCheckpoint(tx, member_id);
  await severJournals(tx, member_id, successor_id);
  await severPayouts(tx, member_id, successor_id);
}
