import { definePersonalData } from '#platform/personal-data.ts';
import { listMemberReads, severReads } from './earnings/store.ts';
import { chooseSuccessor, listMemberJournals, severHolder } from './journals/store.ts';
import { listMemberPayouts } from './payouts/store.ts';

/** Who read the member, and everything that the books have of the member. An erasure moves it to an id that belongs to nobody and that no other table
 * has: amounts, times and organisations stay, the person goes. */
export const personalData = definePersonalData(
  { reads: listMemberReads, ledger_postings: listMemberJournals, payouts: listMemberPayouts },
  async (tx, member_id) => {
    const successor_id = await chooseSuccessor(tx, member_id);
    await severReads(tx, member_id, successor_id);
    await severHolder(tx, member_id, successor_id);
  },
);
