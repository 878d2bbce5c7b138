import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { deleteGrantsOfUsers, listGrantsOfUsers } from './store.ts';

/** Exports which agents the member has allowed to do what. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'agent_grants', rows: await listGrantsOfUsers(db, user_ids) }];
}

/** Deletes what the member has allowed agents. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await deleteGrantsOfUsers(tx, user_ids);
}
