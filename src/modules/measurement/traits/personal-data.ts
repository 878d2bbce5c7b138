import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteMeasurements, listAllAnswers, listAssessments, listVectors } from './store-personal-data.ts';

/** The member's assessments, answers and trait vectors. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'assessments', rows: await listAssessments(db, member_id) },
    { name: 'answers', rows: await listAllAnswers(db, member_id) },
    { name: 'trait_vectors', rows: await listVectors(db, member_id) },
  ];
}

/** Deletes the member's assessments, answers and trait vectors. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMeasurements(tx, member_id);
}
