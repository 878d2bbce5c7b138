import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import type { Visibility } from '../rules.ts';
import {
  buildMethodId,
  buildSubjectId,
  buildTokenStatusListUrl,
  buildVctUrl,
  type Issuer,
} from './issuer.ts';
import { buildOpenBadge } from './open-badge.ts';
import { buildDisclosures, joinSdJwt } from './sd-jwt.ts';
import type { CredentialStatement } from './statement.ts';
import { buildVerifiableCredential, type VerifiableCredential } from './verifiable-credential.ts';

/** One credential in its four signed forms. */
export type SignedForms = {
  readonly vc_jwt: string;
  readonly sd_jwt_vc: string;
  readonly attestation_token: string;
  readonly open_badge: string;
};

/** The record of a credential. */
export type Credential = CredentialStatement &
  Omit<SignedForms, 'open_badge'> & {
    /** Null if it had expired before this form existed. */
    readonly open_badge: string | null;
    readonly revoked_at: Date | null;
    readonly revocation_reason: string | null;
    readonly visibility: Visibility;
    readonly verifications: number;
  };

/** The holder's key as in `cnf` (RFC 7800): the key itself, or the DID URL of its verification method. */
export type KeyConfirmation = { readonly jwk: Readonly<Record<string, unknown>> } | { readonly kid: string };

export const formNames = ['vc_jwt', 'sd_jwt_vc', 'attestation_token', 'open_badge'] as const;

export type FormName = (typeof formNames)[number];

/** The `typ` of each form, so that no form can be mistaken for another or for an access token. */
export const formTypes = {
  vc_jwt: 'vc+jwt',
  sd_jwt_vc: 'dc+sd-jwt',
  attestation_token: 'attestation+jwt',
  // The only type that Open Badges 3.0 permits.
  open_badge: 'JWT',
} as const satisfies Readonly<Record<FormName, string>>;

export function signForms(issuer: Issuer, key: SigningKey, statement: CredentialStatement): SignedForms {
  // Two forms share it: writing its addresses and times once more took a seventh of the time of the badge.
  const credential = buildVerifiableCredential(issuer, statement);
  return {
    vc_jwt: signVcJwt(issuer, key, statement, credential),
    sd_jwt_vc: signSdJwtVc(issuer, key, statement),
    attestation_token: signAttestation(issuer, key, statement),
    open_badge: signOpenBadge(issuer, key, statement, credential),
  };
}

/**
 * Secures a credential as `vc+jwt` (VC-JOSE-COSE section 3.1.1): the credential itself is the payload, together with the registered
 * claims that repeat its fields. A `vc` claim must not wrap it.
 */
function signVcJwt(
  issuer: Issuer,
  key: SigningKey,
  statement: CredentialStatement,
  credential: VerifiableCredential,
): string {
  const payload = {
    ...credential,
    iss: issuer.did,
    sub: credential.credentialSubject.id,
    jti: credential.id,
    ...buildTimeClaims(statement),
  };
  return signJws(key, { kid: buildMethodId(issuer, key.kid), typ: formTypes.vc_jwt, cty: 'vc' }, payload);
}

/**
 * Secures a statement as SD-JWT VC (draft-ietf-oauth-sd-jwt-vc). The holder chooses whether to disclose the subject and each claim; type,
 * tier, times, status and an organisation that vouches are always visible.
 *
 * The issuer is the URL whose JWT VC Issuer Metadata has the key (section 4), which is the one way to find a key that the draft has without a
 * certificate. A wallet that proves possession with a DID gets the DID of the issuer, because it resolves DIDs.
 *
 * @param confirmation The key whose possession the holder must prove, if the credential is bound to a wallet.
 */
export function signSdJwtVc(
  issuer: Issuer,
  key: SigningKey,
  statement: CredentialStatement,
  confirmation?: KeyConfirmation,
): string {
  const { member_id } = statement;
  const { open, hidable } = splitClaims(statement);
  const { _sd, disclosures } = buildDisclosures({ sub: buildSubjectId(member_id), ...hidable });
  const usesDid = confirmation !== undefined && 'kid' in confirmation;
  const payload = {
    iss: usesDid ? issuer.did : issuer.url,
    vct: buildVctUrl(issuer, statement.credential_type),
    jti: statement.id,
    attestation_tier: statement.attestation_tier,
    ...open,
    ...buildTimeClaims(statement),
    status: buildTokenStatus(issuer, statement),
    ...(confirmation && { cnf: confirmation }),
    _sd,
    _sd_alg: 'sha-256',
  };
  const kid = usesDid ? buildMethodId(issuer, key.kid) : key.kid;
  const header = { kid, typ: formTypes.sd_jwt_vc };
  return joinSdJwt(signJws(key, header, payload), disclosures);
}

/** A holder must not hide which organisation vouches for a credential, and by which domain it is known. */
function splitClaims({ attestation_tier, claims }: CredentialStatement) {
  if (attestation_tier !== 'org_validated') return { open: {}, hidable: claims };
  const { organisation_name, organisation_domain, ...hidable } = claims;
  const open = {
    ...(organisation_name !== undefined && { organisation_name }),
    ...(organisation_domain !== undefined && { organisation_domain }),
  };
  return { open, hidable };
}

/** Signs the compact attestation token: an ES256 JWT (RFC 7519) with the whole content in plain claims. */
function signAttestation(issuer: Issuer, key: SigningKey, statement: CredentialStatement): string {
  const { id, member_id, credential_type, attestation_tier, claims } = statement;
  const payload = {
    iss: issuer.url,
    sub: buildSubjectId(member_id),
    jti: id,
    ...buildTimeClaims(statement),
    credential_type,
    attestation_tier,
    claims,
    status: buildTokenStatus(issuer, statement),
  };
  return signJws(key, { kid: key.kid, typ: formTypes.attestation_token }, payload);
}

/** Secures a badge as Open Badges 3.0 asks for (section 8.2): no header and no registered claim but those that it names. */
export function signOpenBadge(
  issuer: Issuer,
  key: SigningKey,
  statement: CredentialStatement,
  credential: VerifiableCredential,
): string {
  const badge = buildOpenBadge(issuer, statement, credential);
  const payload = {
    ...badge,
    iss: issuer.did,
    sub: badge.credentialSubject.id,
    jti: badge.id,
    nbf: statement.issued_at.getTime() / 1000,
    exp: statement.expires_at.getTime() / 1000,
  };
  return signJws(key, { kid: buildMethodId(issuer, key.kid), typ: formTypes.open_badge }, payload);
}

/** The status list entry of a token (Token Status List section 6). */
function buildTokenStatus(issuer: Issuer, { status_list_id, status_index }: CredentialStatement) {
  return { status_list: { idx: status_index, uri: buildTokenStatusListUrl(issuer, status_list_id) } };
}

function buildTimeClaims({ issued_at, expires_at }: CredentialStatement) {
  return { iat: issued_at.getTime() / 1000, exp: expires_at.getTime() / 1000 };
}
