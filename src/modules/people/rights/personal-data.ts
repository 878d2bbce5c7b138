import { definePersonalData } from '#platform/personal-data.ts';
import { deleteMemberRequests, listMemberDeletionRequests, listMemberExports } from './store.ts';

/** The member's requests for data exports and for deletion, and the exports. */
export const personalData = definePersonalData(
  { data_exports: listMemberExports, deletion_requests: listMemberDeletionRequests },
  deleteMemberRequests,
);
