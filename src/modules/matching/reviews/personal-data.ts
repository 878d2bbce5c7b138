import { listMemberMatchKeys } from '#modules/matching/matches';
import { definePersonalData } from '#platform/personal-data.ts';
import { deleteReviews, exportReviews } from './store.ts';

/** The reviews that the member has asked for, and their answers. What is asked while an erasure waits is deleted with the matches. */
export const personalData = definePersonalData(
  { match_reviews: async (db, member_id) => exportReviews(db, await listMemberMatchKeys(db, member_id)) },
  async (tx, member_id) => deleteReviews(tx, await listMemberMatchKeys(tx, member_id)),
);
