import { definePersonalData } from '#platform/personal-data.ts';
import { lockComputations } from './index/store-vectors.ts';
import { deleteDisclosures, listMemberDisclosures } from './explanations/store-disclosures.ts';
import { deleteMemberMatches } from './store-member-matches.ts';
import {
  deletePreferences,
  listAllMatches,
  listExplanations,
  listNotes,
  listPreferences,
} from './store-personal-data.ts';

/** The member's matches, their explanations, the notes of both sides, which organisations read details, and the member's preferences. An erasure waits until no computation is changing them. */
export const personalData = definePersonalData(
  {
    matches: listAllMatches,
    match_explanations: listExplanations,
    match_notes: listNotes,
    disclosed_standings: listMemberDisclosures,
    matching_preferences: listPreferences,
  },
  async (tx, member_id) => {
    await lockComputations(tx, [member_id]);
    await deleteMemberMatches(tx, member_id);
    await deletePreferences(tx, member_id);
    await deleteDisclosures(tx, member_id);
  },
);
