import { definePersonalData } from '#platform/personal-data.ts';
import { deleteAllOfMember, listEvidence, listStubRows } from './store.ts';

/** What was observed of the member before the account existed. The trait vector belongs to the module of traits. */
export const personalData = definePersonalData(
  { identity_stub: listStubRows, stub_observations: listEvidence },
  deleteAllOfMember,
);
