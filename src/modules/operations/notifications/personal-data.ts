import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { deleteAllOfUsers, listSettings, listWaitingNotices } from './store.ts';
import { deleteReadNotices, listReadNotices } from './store-reads.ts';

/** Exports which emails the member has chosen, what the next digest says, and until when reads were reported. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'notification_settings', rows: await listSettings(db, user_ids) },
    { name: 'waiting_notices', rows: await listWaitingNotices(db, user_ids) },
    { name: 'read_notices', rows: await listReadNotices(db, user_ids) },
  ];
}

/** Deletes all of it. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await deleteAllOfUsers(tx, user_ids);
  await deleteReadNotices(tx, user_ids);
}
