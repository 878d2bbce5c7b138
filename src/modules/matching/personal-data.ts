import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { lockComputation } from './computing/store-vectors.ts';
import { listExplanations } from './explanations/store.ts';
import {
  deleteMemberMatches,
  deletePreferences,
  listAllMatches,
  listPreferences,
} from './store-personal-data.ts';

/** Exports the member's matches, their explanations and the member's preferences. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'matches', rows: await listAllMatches(db, member_id) },
    { name: 'match_explanations', rows: await listExplanations(db, member_id) },
    { name: 'matching_preferences', rows: await listPreferences(db, member_id) },
  ];
}

/** Deletes the member's matches with their explanations, and the preferences, once no computation is changing them. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await lockComputation(tx, member_id);
  await deleteMemberMatches(tx, member_id);
  await deletePreferences(tx, member_id);
}
