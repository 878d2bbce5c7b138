export { readOrganisation } from './read-organisation.ts';
export { type Organisation } from './rules.ts';
export { setTier } from './set-tier.ts';
export { assignTier } from './administration/assign-tier.ts';
export { attestDomain } from './administration/attest-domain.ts';
export { inspectOrganisation } from './administration/inspect-organisation.ts';
export { searchOrganisations } from './administration/search-organisations.ts';
export { changeOrganisationSuspension, requireOpenOrganisation } from './administration/suspension.ts';
export { isSuspendedOrganisation, listSuspendedOrganisations } from './administration/store-suspensions.ts';
export { checkDomainHolder, isVerifiedByName } from './domains/check-domain-holder.ts';
export { claimDomains } from './domains/claim-domains.ts';
export { findDomainHolder } from './domains/find-domain-holder.ts';
export { isPublicMailDomain } from './domains/public-mail-domains.ts';
export { recordDomainProof } from './domains/record-domain-proof.ts';
export { buildDomainRecord, readMailDomain, type DomainClaim } from './domains/rules.ts';
export { findDomainClaim, listDomainClaims } from './domains/store.ts';
export { verifyDomain } from './domains/verify-domain.ts';
export {
  deleteOrganisation,
  findOrganisation,
  insertOrganisation,
  listOrganisations,
  lockOrganisation,
  lockSyntheticOrganisations,
} from './store.ts';
export { updateOrganisation } from './update-organisation.ts';
