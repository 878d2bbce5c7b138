import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { deleteUserArtifacts, listUserArtifacts } from './store.ts';

/** Returns which codes and tokens of agents are stored for the member's users, without the secrets. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'oauth_artifacts', rows: await listUserArtifacts(db, user_ids) }];
}

/** Deletes the codes and tokens of agents. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { user_ids }: MemberAccounts,
): Promise<void> {
  await deleteUserArtifacts(tx, user_ids);
}
