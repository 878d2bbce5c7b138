import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { setRevokedBits } from './revocation/status-lists.ts';
import { deleteMemberCredentials, listMemberCredentials } from './store-personal-data.ts';

/** Everything that was issued about the member, in its signed forms. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'credentials', rows: await listMemberCredentials(db, member_id) }];
}

/**
 * Revokes every credential of the member in the status lists and deletes the records: what is out in the world no longer verifies. The bit
 * stays, and tells of nobody.
 */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  const places = await deleteMemberCredentials(tx, member_id);
  const byList = Map.groupBy(places, ({ status_list_id }) => status_list_id);
  // In one order everywhere, so that two erasures never wait for each other.
  for (const list_id of [...byList.keys()].toSorted())
    await setRevokedBits(
      tx,
      list_id,
      byList.get(list_id)!.map(({ status_index }) => status_index),
    );
}
