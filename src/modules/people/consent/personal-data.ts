import { definePersonalData } from '#platform/personal-data.ts';
import { listCategoryRecords } from './store-categories.ts';
import { deleteConsent, listConsentRecords } from './store.ts';

/** Every consent decision that the member has made. An erasure needs the member to be marked for deletion. */
export const personalData = definePersonalData(
  { consents: listConsentRecords, query_categories: listCategoryRecords },
  deleteConsent,
);
