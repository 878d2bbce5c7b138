import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { deleteOffersOf, listHeld } from './store.ts';

/** The offers that are still kept: to which credentials, and whether a wallet came for them. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [{ name: 'wallet_offers', rows: await listHeld(db, member_id) }];
}

/** Deletes the member's offers, so that no wallet fetches what is no more. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteOffersOf(tx, member_id);
}
