import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMemberRequests, listMemberDeletionRequests, listMemberExports } from './store.ts';

/** The member's requests for data exports and for deletion. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'data_exports', rows: await listMemberExports(db, member_id) },
    { name: 'deletion_requests', rows: await listMemberDeletionRequests(db, member_id) },
  ];
}

/** Deletes the member's data exports and requests. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberRequests(tx, member_id);
}
