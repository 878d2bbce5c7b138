export { readConsent } from './read-consent.ts';
export { recordConsent } from './record-consent.ts';
export { hasConsent } from './store.ts';
