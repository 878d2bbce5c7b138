import { listMemberMatchKeys } from '#modules/matching/matches';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteAll, exportFeedback, exportOutcomes } from './store-personal-data.ts';

/** Exports what became of the member's matches, and the feedback of both sides on them. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const matches = await listMemberMatchKeys(db, member_id);
  return [
    { name: 'match_outcomes', rows: await exportOutcomes(db, matches) },
    { name: 'match_feedback', rows: await exportFeedback(db, matches) },
  ];
}

/** Deletes all of it. What is recorded while the erasure waits is deleted with the matches. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteAll(tx, await listMemberMatchKeys(tx, member_id));
}
