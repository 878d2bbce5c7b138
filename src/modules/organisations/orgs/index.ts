export { readOrganisation } from './read-organisation.ts';
export { organisationResource, organisationTiers, type Organisation } from './resource.ts';
export { countFoundOrganisations, listFoundOrganisations, type OrganisationPlace } from './store-search.ts';
export { recordOperatorProof } from './domains/verify-domain.ts';
export { recordTier, setTier } from './set-tier.ts';
export { changeOrganisationSuspension, requireOpenOrganisation } from './suspension/suspension.ts';
export { isSuspendedOrganisation, listSuspendedOrganisations } from './suspension/store.ts';
export {
  checkDomainHolder,
  isDomainOfTests,
  isVerifiedByName,
  findDomainHolder,
  isPublicMailDomain,
} from './domains/check-domain-holder.ts';
export { claimDomains } from './domains/claim-domains.ts';
export { findShownDomain } from './domains/find-shown-domain.ts';
export { recordDomainProof } from './domains/record-domain-proof.ts';
export {
  buildDomainRecord,
  findRegistrableDomain,
  readMailDomain,
  type DomainClaim,
} from './domains/rules.ts';
export { findDomainClaim, listDomainClaims } from './domains/store.ts';
export { verifyDomain } from './domains/verify-domain.ts';
export { checkOrganisationName, checkSenderName, findImitations } from './names/check-name.ts';
export { doesImitateService } from './names/rules.ts';
export { findShownName } from './names/store.ts';
export {
  deleteOrganisation,
  findOrganisation,
  insertOrganisation,
  isTierSet,
  listOrganisations,
  lockOrganisation,
  lockSyntheticOrganisations,
} from './store.ts';
export { updateOrganisation } from './update-organisation.ts';
