import { definePersonalData } from '#platform/personal-data.ts';
import { setRevokedBits } from './revocation/status-lists.ts';
import { deleteMemberCredentials, listMemberCredentials } from './store-personal-data.ts';

/** All credentials of the member with their signed forms. An erasure revokes them in the status lists, so that copies of them no longer verify. The bits
 * stay set; they identify no one. */
export const personalData = definePersonalData(
  { credentials: listMemberCredentials },
  async (tx, member_id) => {
    const places = await deleteMemberCredentials(tx, member_id);
    const byList = [...Map.groupBy(places, ({ status_list_id }) => status_list_id)];
    // Locks the lists in a fixed order, so that two erasures cannot deadlock.
    for (const [list_id, revoked] of byList.toSorted(([one], [other]) => (one < other ? -1 : 1)))
      await setRevokedBits(
        tx,
        list_id,
        revoked.map(({ status_index }) => status_index),
      );
  },
);
