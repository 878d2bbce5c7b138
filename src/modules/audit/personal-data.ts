import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import { listMemberEntries, updateMemberSevered } from './store.ts';

/** What the audit log has about the member, and of what the member did. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
  { user_ids }: MemberAccounts,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'audit_log', rows: await listMemberEntries(db, member_id, user_ids) }];
}

/** Severs the entries from the member, while the member's account still tells which they are: that something was done stays on record. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await updateMemberSevered(tx, member_id);
}
