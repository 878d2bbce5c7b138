export { readOrganisation } from './read-organisation.ts';
export { type Organisation } from './rules.ts';
export { setTier } from './set-tier.ts';
export {
  deleteOrganisation,
  findOrganisation,
  insertOrganisation,
  lockOrganisation,
  lockSyntheticOrganisations,
} from './store.ts';
export { updateOrganisation } from './update-organisation.ts';
