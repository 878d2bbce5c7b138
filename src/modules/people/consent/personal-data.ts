import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { listCategoryRecords } from './store-categories.ts';
import { deleteConsent, listConsentRecords } from './store.ts';

/** Returns every consent decision that the member has made. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'consents', rows: await listConsentRecords(db, member_id) },
    { name: 'query_categories', rows: await listCategoryRecords(db, member_id) },
  ];
}

/** Deletes the member's decisions. The member must still be marked for deletion. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteConsent(tx, member_id);
}
