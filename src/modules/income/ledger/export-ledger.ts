import type { Reader } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberPayouts } from './payouts/store.ts';
import { listMemberJournals } from './store.ts';

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
