import { definePersonalData } from '#platform/personal-data.ts';
import { listMemberEntries, severMember } from './store.ts';

/** The entries about the member, and those about what the member did. An erasure removes the member from them; the record that something was done
 * stays. It must run before the member's account is deleted, because the account links the entries to the member. */
export const personalData = definePersonalData(
  { audit_log: (db, member_id, { user_ids }) => listMemberEntries(db, member_id, user_ids) },
  severMember,
);
