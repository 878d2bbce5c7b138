import type { Transaction } from '#platform/database/database.ts';
import { postJournal } from '../post-journal.ts';
import { buildPayoutJournal, type Payout } from '../rules.ts';
import { insertPayout } from './store.ts';

/** Opens a payout: its money is in progress from now on. */
export async function openPayout(tx: Transaction, payout: Payout): Promise<void> {
  await insertPayout(tx, payout);
  await postJournal(tx, buildPayoutJournal(payout));
}
