import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberInvitations, listMemberInvitations } from './store.ts';

/** The open invitations that were sent to the member's address. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'invitations', rows: await listMemberInvitations(db, member_id) }];
}

/** Deletes these invitations. Must run before the member's account is deleted, because the account has the address. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberInvitations(tx, member_id);
}
