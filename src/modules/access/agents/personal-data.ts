import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { deleteGrantsOfUsers, listGrantsOfUsers } from './grants/store.ts';
import { deleteUserArtifacts, listUserArtifacts } from './store-artifacts.ts';

/** Exports which agents the member has allowed to do what, and which codes and tokens of theirs are stored, without the secrets. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'oauth_artifacts', rows: await listUserArtifacts(db, user_ids) },
    { name: 'agent_grants', rows: await listGrantsOfUsers(db, user_ids) },
  ];
}

/** Deletes what the member has allowed agents, and their codes and tokens. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await deleteUserArtifacts(tx, user_ids);
  await deleteGrantsOfUsers(tx, user_ids);
}
