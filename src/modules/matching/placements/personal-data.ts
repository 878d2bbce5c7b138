import { listMemberMatchKeys } from '#modules/matching/matches';
import { definePersonalData } from '#platform/personal-data.ts';
import { deleteAll, exportFeedback, exportOutcomes } from './store-personal-data.ts';

/** What became of the member's matches, and the feedback of both sides on them. What is recorded while an erasure waits is deleted with the matches. */
export const personalData = definePersonalData(
  {
    match_outcomes: async (db, member_id) => exportOutcomes(db, await listMemberMatchKeys(db, member_id)),
    match_feedback: async (db, member_id) => exportFeedback(db, await listMemberMatchKeys(db, member_id)),
  },
  async (tx, member_id) => deleteAll(tx, await listMemberMatchKeys(tx, member_id)),
);
