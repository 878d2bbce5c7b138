import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { setRevoked } from './revocation/status-lists.ts';
import { deleteCredentialsOf, listHeld } from './store-personal-data.ts';

/** Everything that was issued about the member, in its signed forms. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [{ name: 'credentials', rows: await listHeld(db, member_id) }];
}

/**
 * Revokes every credential of the member in the status lists and deletes the records: what is out in the world no longer verifies. The bit
 * stays, and tells of nobody.
 */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  const places = await deleteCredentialsOf(tx, member_id);
  const byList = Map.groupBy(places, ({ status_list_id }) => status_list_id);
  // In one order everywhere, so that two erasures never wait for each other.
  for (const list_id of [...byList.keys()].toSorted())
    await setRevoked(
      tx,
      list_id,
      byList.get(list_id)!.map(({ status_index }) => status_index),
    );
}
