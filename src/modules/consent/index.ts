export { readConsent } from './read-consent.ts';
export { recordConsent } from './record-consent.ts';
export { requireConsent } from './require-consent.ts';
export { insertGrants } from './store-bulk.ts';
