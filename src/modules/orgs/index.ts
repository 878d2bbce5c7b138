export { readOrganisation } from './read-organisation.ts';
export { setTier } from './set-tier.ts';
export { insertOrganisation } from './store.ts';
