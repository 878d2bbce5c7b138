import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { listEntriesOf, updateSevered } from './store.ts';

/** What the audit log has about the member, and of what the member did. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [{ name: 'audit_log', rows: await listEntriesOf(db, member_id) }];
}

/** Severs the entries from the member, while the member's account still tells which they are: that something was done stays on record. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await updateSevered(tx, member_id);
}
