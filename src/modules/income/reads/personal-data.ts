import { definePersonalData } from '#platform/personal-data.ts';
import { deleteProposalsOfMember, listProposalsAbout } from './store-proposals.ts';
import { deleteAllOfMember, listAlignments, listFreeReads, listQuotes } from './store.ts';

/** The prices that were quoted for the member's data, what the member has proposed to sell, and what was read about the member for nothing and with the culture of organisations. */
export const personalData = definePersonalData(
  {
    read_quotes: listQuotes,
    read_alignments: listAlignments,
    free_reads: listFreeReads,
    read_proposals: listProposalsAbout,
  },
  async (tx, member_id) => {
    await deleteAllOfMember(tx, member_id);
    await deleteProposalsOfMember(tx, member_id);
  },
);
