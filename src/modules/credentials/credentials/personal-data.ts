import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { setRevokedBits } from './revocation/status-lists.ts';
import { deleteMemberCredentials, listMemberCredentials } from './store-personal-data.ts';

/** All credentials of the member with their signed forms. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'credentials', rows: await listMemberCredentials(db, member_id) }];
}

/**
 * Revokes all credentials of the member in the status lists and deletes their records, so that copies of them no longer verify. The bits
 * stay set; they identify no one.
 */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  const places = await deleteMemberCredentials(tx, member_id);
  const byList = [...Map.groupBy(places, ({ status_list_id }) => status_list_id)];
  // Locks the lists in a fixed order, so that two erasures cannot deadlock.
  for (const [list_id, revoked] of byList.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await setRevokedBits(
      tx,
      list_id,
      revoked.map(({ status_index }) => status_index),
    );
}
