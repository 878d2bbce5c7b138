export { attestationIssued, attestationRevoked } from './events.ts';
export { flushVerifications } from './verification/count-verifications.ts';
export { addProof } from './signing/data-integrity.ts';
export { signSdJwtVc, buildVerifiableCredential, type KeyConfirmation } from './signing/signed-forms.ts';
export { issueCredential } from './issuing/issue-credential.ts';
export { buildIssuer, termMeanings, vcTypes, buildVctUrl, type Issuer } from './signing/issuer.ts';
export { listCredentials } from './holding/list-credentials.ts';
export {
  serveCredentialContext,
  serveDidDocument,
  serveIssuerMetadata,
  serveJwks,
  serveTypeMetadata,
  serveVocabulary,
} from './documents/origin-documents.ts';
export { lockCallerCredential } from './holding/credential-access.ts';
export { personalData } from './personal-data.ts';
export { readCredential } from './holding/read-credential.ts';
export { readDataIntegrity } from './holding/read-data-integrity.ts';
export { readServiceKeys } from './documents/read-service-keys.ts';
export { readStatusList } from './revocation/read-status-list.ts';
export { readTokenStatusList } from './revocation/read-token-status-list.ts';
export { renewCredentials } from './revocation/renew-credentials.ts';
export { revokeCredential } from './holding/revoke-credential.ts';
export { claimNames, credentialTypes, computeCredentialStatus, type CredentialType } from './rules.ts';
export { setVisibility } from './holding/set-visibility.ts';
export { findListKey } from './revocation/status-lists.ts';
export { findCredential, type Credential } from './store.ts';
export { verifyAttestation } from './verification/verify-attestation.ts';
export { verifyCredential } from './verification/verify-credential.ts';
export { verifyStored } from './verification/verify-stored-credential.ts';
export type { credentialVerificationWire } from './wire.ts';
