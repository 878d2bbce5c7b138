import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import {
  methodOf,
  statusListUrl,
  subjectOf,
  tokenStatusListUrl,
  vcTypes,
  vctOf,
  type Issuer,
} from './issuer.ts';
import type { AttestationTier, Claims, CredentialType, Visibility } from '../rules.ts';
import { disclosable, joinedSdJwt } from './sd-jwt.ts';

/** What a credential says, before it is signed in any form. */
export type Statement = {
  readonly id: string;
  readonly member_id: string;
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
  readonly claims: Claims;
  /** Whole seconds. */
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly status_list_id: string;
  readonly status_index: number;
};

/** One credential in its three signed forms. */
export type Forms = {
  readonly vc_jwt: string;
  readonly sd_jwt_vc: string;
  readonly attestation_token: string;
};

/** The record of a credential. */
export type Credential = Statement &
  Forms & {
    readonly revoked_at: Date | null;
    readonly revocation_reason: string | null;
    readonly visibility: Visibility;
    readonly verifications: number;
  };

/** The `typ` of each form: what one is can never be taken for another, or for an access token. */
export const formTypes = {
  vc_jwt: 'vc+jwt',
  sd_jwt_vc: 'dc+sd-jwt',
  attestation_token: 'attestation+jwt',
} as const;

export type FormName = keyof typeof formTypes;

/** Signs all three forms of a statement. */
export function signedForms(issuer: Issuer, key: SigningKey, statement: Statement): Forms {
  return {
    vc_jwt: signedVcJwt(issuer, key, statement),
    sd_jwt_vc: signedSdJwtVc(issuer, key, statement),
    attestation_token: signedAttestation(issuer, key, statement),
  };
}

/** The W3C Verifiable Credential (Data Model 2.0) of a statement, unsecured. */
export function verifiableCredential(issuer: Issuer, statement: Statement) {
  const { id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at } = statement;
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2', issuer.context],
    id: `urn:uuid:${id}`,
    type: ['VerifiableCredential', vcTypes[credential_type]],
    issuer: issuer.did,
    validFrom: inSeconds(issued_at),
    validUntil: inSeconds(expires_at),
    credentialSubject: { id: subjectOf(member_id), ...claims },
    attestation_tier,
    credentialStatus: bitstringEntry(issuer, statement),
  };
}

/** Where a credential's status stands (Bitstring Status List section 2.1). */
export function bitstringEntry(
  issuer: Issuer,
  { status_list_id, status_index }: Pick<Statement, 'status_list_id' | 'status_index'>,
) {
  const list = statusListUrl(issuer, status_list_id);
  return {
    id: `${list}#${status_index}`,
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(status_index),
    statusListCredential: list,
  };
}

/**
 * Secures a credential as `vc+jwt` (VC-JOSE-COSE section 3.1.1): the credential itself is the payload, with the registered claims that
 * say the same beside it, and never inside `vc`.
 */
export function signedVcJwt(issuer: Issuer, key: SigningKey, statement: Statement): string {
  const credential = verifiableCredential(issuer, statement);
  const payload = {
    ...credential,
    iss: issuer.did,
    sub: credential.credentialSubject.id,
    jti: credential.id,
    ...times(statement),
  };
  return signJws(key, { kid: methodOf(issuer, key.kid), typ: formTypes.vc_jwt, cty: 'vc' }, payload);
}

/**
 * Secures a statement as SD-JWT VC (draft-ietf-oauth-sd-jwt-vc). The subject and each claim are disclosed one by one, as the holder
 * chooses; type, tier, times and status always are.
 *
 * @param holder The public key that the holder must prove to have, where the credential is bound to a wallet.
 */
export function signedSdJwtVc(
  issuer: Issuer,
  key: SigningKey,
  statement: Statement,
  holder?: Readonly<Record<string, unknown>>,
): string {
  const { member_id, claims } = statement;
  const { _sd, disclosures } = disclosable({ sub: subjectOf(member_id), ...claims });
  const payload = {
    iss: issuer.url,
    vct: vctOf(issuer, statement.credential_type),
    jti: statement.id,
    attestation_tier: statement.attestation_tier,
    ...times(statement),
    status: tokenStatus(issuer, statement),
    ...(holder && { cnf: { jwk: holder } }),
    _sd,
    _sd_alg: 'sha-256',
  };
  return joinedSdJwt(signJws(key, { kid: key.kid, typ: formTypes.sd_jwt_vc }, payload), disclosures);
}

/** Signs the compact attestation token: an ES256 JWT (RFC 7519) that says everything in plain claims. */
function signedAttestation(issuer: Issuer, key: SigningKey, statement: Statement): string {
  const { id, member_id, credential_type, attestation_tier, claims } = statement;
  const payload = {
    iss: issuer.url,
    sub: subjectOf(member_id),
    jti: id,
    ...times(statement),
    credential_type,
    attestation_tier,
    claims,
    status: tokenStatus(issuer, statement),
  };
  return signJws(key, { kid: key.kid, typ: formTypes.attestation_token }, payload);
}

/** Where the token's status stands (Token Status List section 6). */
function tokenStatus(issuer: Issuer, { status_list_id, status_index }: Statement) {
  return { status_list: { idx: status_index, uri: tokenStatusListUrl(issuer, status_list_id) } };
}

function times({ issued_at, expires_at }: Statement) {
  return { iat: issued_at.getTime() / 1000, exp: expires_at.getTime() / 1000 };
}

/** A dateTimeStamp without the fraction that is always zero. */
export function inSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
