import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberInvitations, listMemberInvitations } from './store.ts';

/** The invitations into organisations that wait at the member's address. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'invitations', rows: await listMemberInvitations(db, member_id) }];
}

/** Deletes them, while the member's account still tells the address. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberInvitations(tx, member_id);
}
