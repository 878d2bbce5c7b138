export { readOrganisation } from './read-organisation.ts';
export { type Organisation } from './rules.ts';
export { setTier } from './set-tier.ts';
export { findOrganisation, insertOrganisation, lockOrganisation } from './store.ts';
export { updateOrganisation } from './update-organisation.ts';
