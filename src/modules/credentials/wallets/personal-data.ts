import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberOffers, listMemberOffers } from './store.ts';

/** The stored offers of the member: for which credentials, and whether a wallet has redeemed them. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'wallet_offers', rows: await listMemberOffers(db, member_id) }];
}

/** Deletes the member's offers, so that no wallet can fetch an erased credential. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberOffers(tx, member_id);
}
