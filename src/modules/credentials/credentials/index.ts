// Issuing, and what holders do with their credentials.
export { lockCallerCredential } from './holding/credential-access.ts';
export { listCredentials } from './holding/list-credentials.ts';
export { readCredential } from './holding/read-credential.ts';
export { readDataIntegrity } from './holding/read-data-integrity.ts';
export { revokeActiveCredential, revokeCredential } from './holding/revoke-credential.ts';
export { setVisibility } from './holding/set-visibility.ts';
export { attestClaims, checkSubject, issueCredential } from './issuing/issue-credential.ts';
export { issueCredentials } from './issuing/issue-credentials.ts';

// Verification by anyone.
export { flushVerifications } from './verification/count-verifications.ts';
export { verifyAttestation } from './verification/verify-attestation.ts';
export { verifyCredential } from './verification/verify-credential.ts';
export { verifyStored } from './verification/verify-stored-credential.ts';
export { verifyToken, type Verification } from './verification/verify-token.ts';

// Revocation and renewal.
export { readStatusList } from './revocation/read-status-list.ts';
export { readTokenStatusList } from './revocation/read-token-status-list.ts';
export { renewCredentials } from './revocation/renew-credentials.ts';
export { isRevoked } from './revocation/revocation-memory.ts';
export { findListKey, takePlaces } from './revocation/status-lists.ts';

// The documents of the issuer.
export {
  serveAddedContext,
  serveCredentialContext,
  serveDidDocument,
  serveIssuerMetadata,
  serveJwks,
  serveTypeMetadata,
  serveVocabulary,
} from './documents/origin-documents.ts';
export { readServiceKeys } from './documents/read-service-keys.ts';

// Badges.
export {
  describeAchievement,
  describeEarned,
  findVoucher,
  formatAchievementTitle,
} from './signing/achievements.ts';
export { readOpenBadge } from './badges/read-open-badge.ts';
export { serveAchievement, serveAchievementPicture, servePlainCard } from './badges/serve-achievements.ts';

// The signed forms of a credential.
export { addProof, createOwnDocumentLoader } from './signing/data-integrity.ts';
export { buildDidDocument } from './signing/did-document.ts';
export { buildIssuer, buildVctUrl, termMeanings, vcTypes, type Issuer } from './signing/issuer.ts';
export { findContext } from './signing/vocabulary.ts';
export { signSdJwtVc, type KeyConfirmation } from './signing/signed-forms.ts';
export { buildVerifiableCredential } from './signing/verifiable-credential.ts';

// Rows, values, schemas, events and personal data.
export * from './events.ts';
export { personalData } from './personal-data.ts';
export {
  claimNames,
  computeCredentialStatus,
  computeExpiry,
  credentialTypes,
  expiry_days_max,
  type AttestationTier,
  type Claims,
  type CredentialType,
} from './rules.ts';
export { findCredential, lockCredential, type Credential } from './store.ts';
export { claimsWire, organisationClaimsWire, type credentialVerificationWire } from './wire.ts';
