import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteSentEvents, listSentEvents } from './store-personal-data.ts';

/** Exports what organisations were sent about the member, for as long as the history is kept. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'webhook_deliveries', rows: await listSentEvents(db, member_id) }];
}

/** Deletes the deliveries about the member. Those that wait are not sent. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteSentEvents(tx, member_id);
}
