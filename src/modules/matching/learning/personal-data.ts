import { listMemberMatchKeys } from '#modules/matching/matches';
import { definePersonalData } from '#platform/personal-data.ts';
import {
  deleteCandidates,
  deleteObservations,
  exportCandidates,
  exportObservations,
} from './store-personal-data.ts';

/** What was observed of the member's matches, and of the member as one of several whom a job could have had. Versions that were learned from it stay after
 * an erasure: they are sums over many members. */
export const personalData = definePersonalData(
  {
    learning_observations: async (db, member_id) =>
      exportObservations(db, await listMemberMatchKeys(db, member_id)),
    learning_candidates: exportCandidates,
  },
  async (tx, member_id) => {
    await deleteCandidates(tx, member_id);
    await deleteObservations(tx, await listMemberMatchKeys(tx, member_id));
  },
);
