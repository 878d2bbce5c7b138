import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { deleteRequestsOf, listDeletionRequestsOf, listExportsOf } from './store.ts';

/** What the member asked about their data. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [
    { name: 'data_exports', rows: await listExportsOf(db, member_id) },
    { name: 'deletion_requests', rows: await listDeletionRequestsOf(db, member_id) },
  ];
}

/** Deletes the copies and the requests. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteRequestsOf(tx, member_id);
}
