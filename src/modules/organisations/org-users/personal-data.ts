import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberInvitations, listMemberInvitations } from './store.ts';

/** The open invitations that were sent to the member's address. */
export async function exportPersonalData(
  db: Reader,
  _member_id: string,
  { emails }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'invitations', rows: await listMemberInvitations(db, emails) }];
}

/** Deletes these invitations. */
export async function erasePersonalData(
  tx: Transaction,
  _member_id: string,
  { emails }: MemberAccounts,
): Promise<void> {
  await deleteMemberInvitations(tx, emails);
}
