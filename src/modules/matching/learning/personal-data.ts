import { listMemberMatchKeys } from '#modules/matching/matches';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import {
  deleteCandidates,
  deleteObservations,
  exportCandidates,
  exportObservations,
} from './store-personal-data.ts';

/** Exports what was observed of the member's matches, and of the member as one of several whom a job could have had. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const matches = await listMemberMatchKeys(db, member_id);
  return [
    { name: 'learning_observations', rows: await exportObservations(db, matches) },
    { name: 'learning_candidates', rows: await exportCandidates(db, member_id) },
  ];
}

/** Deletes all of it. Versions that were learned from it stay: they are sums over many members. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteCandidates(tx, member_id);
  await deleteObservations(tx, await listMemberMatchKeys(tx, member_id));
}
