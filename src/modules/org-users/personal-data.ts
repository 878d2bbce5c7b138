import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { deleteInvitationsTo, listInvitationsTo } from './store.ts';

/** The invitations into organisations that wait at the member's address. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [{ name: 'invitations', rows: await listInvitationsTo(db, member_id) }];
}

/** Deletes them, while the member's account still tells the address. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteInvitationsTo(tx, member_id);
}
