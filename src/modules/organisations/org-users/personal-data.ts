import { definePersonalData } from '#platform/personal-data.ts';
import { deleteMemberInvitations, listMemberInvitations } from './store.ts';

/** The open invitations that were sent to the member's address. */
export const personalData = definePersonalData(
  { invitations: (db, _member_id, { emails }) => listMemberInvitations(db, emails) },
  (tx, _member_id, { emails }) => deleteMemberInvitations(tx, emails),
);
