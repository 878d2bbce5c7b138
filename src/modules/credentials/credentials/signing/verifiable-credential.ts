import { buildSubjectId, listContexts, vcTypes, type Issuer } from './issuer.ts';
import { buildBitstringEntry, formatDateTimeStamp, type CredentialStatement } from './statement.ts';

export type VerifiableCredential = ReturnType<typeof buildVerifiableCredential>;

/** The W3C Verifiable Credential (Data Model 2.0) of a statement, unsecured. */
export function buildVerifiableCredential(issuer: Issuer, statement: CredentialStatement) {
  const { id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at } = statement;
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2', ...listContexts(issuer, claims)],
    id: `urn:uuid:${id}`,
    type: ['VerifiableCredential', vcTypes[credential_type]],
    issuer: issuer.did,
    validFrom: formatDateTimeStamp(issued_at),
    validUntil: formatDateTimeStamp(expires_at),
    credentialSubject: { id: buildSubjectId(member_id), ...claims },
    attestation_tier,
    credentialStatus: buildBitstringEntry(issuer, statement),
  };
}
