import { definePersonalData } from '#platform/personal-data.ts';
import { deleteAllOfMember, listAlignments, listFreeReads, listQuotes } from './store.ts';

/** The prices that were quoted for the member's data, and what was read about the member for nothing and with the culture of organisations. */
export const personalData = definePersonalData(
  { read_quotes: listQuotes, read_alignments: listAlignments, free_reads: listFreeReads },
  deleteAllOfMember,
);
