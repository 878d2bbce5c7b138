import { definePersonalData } from '#platform/personal-data.ts';
import { revokePlaces } from './revocation/status-lists.ts';
import { deleteMemberCredentials, listMemberCredentials } from './store-personal-data.ts';

/** All credentials of the member with their signed forms. An erasure revokes them in the status lists, so that copies of them no longer verify. The bits
 * stay set; they identify no one. */
export const personalData = definePersonalData(
  { credentials: listMemberCredentials },
  async (tx, member_id) => revokePlaces(tx, await deleteMemberCredentials(tx, member_id)),
);
