import { listMemberMatchKeys } from '#modules/matching/matches';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteReviews, exportReviews } from './store.ts';

/** Exports the reviews that the member has asked for, and their answers. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const matches = await listMemberMatchKeys(db, member_id);
  return [{ name: 'match_reviews', rows: await exportReviews(db, matches) }];
}

/** Deletes all of them. What is asked while the erasure waits is deleted with the matches. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteReviews(tx, await listMemberMatchKeys(tx, member_id));
}
