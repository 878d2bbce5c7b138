import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { lockComputation } from './index/store-vectors.ts';
import { deleteMemberMatches } from './store-member-matches.ts';
import {
  deletePreferences,
  listAllMatches,
  listExplanations,
  listNotes,
  listPreferences,
} from './store-personal-data.ts';

/** Exports the member's matches, their explanations, the notes of both sides and the member's preferences. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'matches', rows: await listAllMatches(db, member_id) },
    { name: 'match_explanations', rows: await listExplanations(db, member_id) },
    { name: 'match_notes', rows: await listNotes(db, member_id) },
    { name: 'matching_preferences', rows: await listPreferences(db, member_id) },
  ];
}

/** Deletes the member's matches with their explanations and notes, and the preferences, once no computation is changing them. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await lockComputation(tx, member_id);
  await deleteMemberMatches(tx, member_id);
  await deletePreferences(tx, member_id);
}
