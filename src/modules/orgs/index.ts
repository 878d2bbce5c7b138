export { readOrganisation } from './read-organisation.ts';
export { findOrganisation, insertOrganisation, type Organisation } from './store.ts';
