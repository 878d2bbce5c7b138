import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberEntries, severMember } from './store.ts';

/** The entries about the member, and those about what the member did. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'audit_log', rows: await listMemberEntries(db, member_id, user_ids) }];
}

/**
 * Removes the member from the entries; the record that something was done stays. Must run before the member's account is deleted, because
 * the account links the entries to the member.
 */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await severMember(tx, member_id);
}
