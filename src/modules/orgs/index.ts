export { readOrganisation } from './read-organisation.ts';
export { setTier } from './set-tier.ts';
export { findOrganisation, insertOrganisation, type Organisation } from './store.ts';
