import { list_entries } from '../revocation/status-bits.ts';
import { allowedTiers, attestationTiers, claimNames, credentialTypes } from '../rules.ts';
import type { AttestationTier, Claims, CredentialType } from '../rules.ts';
import { readMethodKid, vcTypes, type Issuer } from '../signing/issuer.ts';
import { readJws, token_characters_max, type ParsedJws } from '../signing/jws.ts';
import { applyDisclosures, splitSdJwt } from '../signing/sd-jwt.ts';
import { formNames, formTypes, type FormName } from '../signing/signed-forms.ts';

/** A parsed token of one of the four forms. Nothing in it is verified yet. */
export type ParsedToken = {
  readonly form: FormName;
  readonly jws: ParsedJws;
  /** The id of the key in the key set, without the issuer's DID. */
  readonly kid: string;
  readonly content: TokenContent;
};

/** The content of a token, in the same fields for every form. */
export type TokenContent = {
  readonly credential_id: string;
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
  /** The disclosed claims. */
  readonly claims: Claims;
  readonly issued_at_s: number;
  readonly expires_at_s: number;
  /** The same two times in ISO 8601, formatted once because a cached token is verified many times. */
  readonly issued_at: string;
  readonly expires_at: string;
  readonly status_list_id: string;
  readonly status_index: number;
};

/** Why a token cannot be verified here: it has none of the four forms, or its issuer is not this service. */
export type UnreadableToken =
  | { readonly unreadable: 'malformed' }
  | { readonly unreadable: 'foreign'; readonly issuer: string };

const malformed: UnreadableToken = { unreadable: 'malformed' };

type Payload = Readonly<Record<string, unknown>>;

/** Parses a token of any of the four forms, strictly. */
export function readToken(issuer: Issuer, token: string): ParsedToken | UnreadableToken {
  const split = token.length <= token_characters_max ? splitParts(token) : undefined;
  const jws = split && readJws(split.jws);
  const form = jws && formNames.find((name) => formTypes[name] === jws.header.typ);
  if (!jws || !form || (form === 'sd_jwt_vc') !== token.includes('~')) return malformed;
  const { iss } = jws.payload;
  if (typeof iss !== 'string') return malformed;
  if (!listIssuerNames(issuer, form).includes(iss)) return { unreadable: 'foreign', issuer: iss };
  const kid = readKid(issuer, jws);
  const content =
    kid === undefined ? undefined : contentReaders[form](issuer, jws.payload, split.disclosures);
  return kid !== undefined && content ? { form, jws, kid, content } : malformed;
}

function splitParts(token: string) {
  return token.includes('~') ? splitSdJwt(token) : { jws: token, disclosures: [] };
}

/** The names that this service uses as the issuer of a form. */
function listIssuerNames({ did, url }: Issuer, form: FormName): readonly string[] {
  if (form === 'sd_jwt_vc') return [url, did];
  return form === 'attestation_token' ? [url] : [did];
}

/** An issuer that is a DID names its key by the full verification method, an issuer that is a URL by the key's id in the key set. */
function readKid(issuer: Issuer, { header: { kid }, payload }: ParsedJws): string | undefined {
  return payload['iss'] === issuer.did ? readMethodKid(issuer, kid) : kid;
}

const contentReaders: Readonly<
  Record<
    FormName,
    (issuer: Issuer, payload: Payload, disclosures: readonly string[]) => TokenContent | undefined
  >
> = {
  attestation_token: (issuer, payload) =>
    readContent(issuer, {
      ...payload,
      place: readStatusPlace(payload),
    }),
  sd_jwt_vc: (issuer, payload, disclosures) => {
    const disclosed = applyDisclosures(payload, disclosures);
    const { vct } = payload;
    return (
      disclosed &&
      readContent(issuer, {
        ...disclosed,
        credential_type: typeof vct === 'string' ? vct.slice(vct.lastIndexOf('/') + 1) : undefined,
        claims: selectClaims(disclosed),
        place: readStatusPlace(payload),
      })
    );
  },
  vc_jwt: (issuer, payload) => readCredentialPayload(issuer, payload, payload['iat']),
  open_badge: (issuer, payload) => readCredentialPayload(issuer, payload, payload['nbf']),
};

/** Reads a payload that is a W3C credential. The types after the first say what it is about. */
function readCredentialPayload(issuer: Issuer, payload: Payload, iat: unknown): TokenContent | undefined {
  const { id, type } = payload;
  // Older formats wrapped a credential in these claims, which must not appear here (VC-JOSE-COSE section 3.1.1).
  if ('vc' in payload || 'vp' in payload || payload['jti'] !== id) return undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type : [];
  const status = toFields(payload['credentialStatus']);
  return readContent(issuer, {
    ...payload,
    iat,
    jti: String(id).replace(/^urn:uuid:/, ''),
    credential_type: credentialTypes.find((name) => types.includes(vcTypes[name])),
    claims: selectClaims(toFields(payload['credentialSubject'])),
    place: { idx: Number(status['statusListIndex']), uri: status['statusListCredential'] },
  });
}

function readStatusPlace({ status }: Payload): unknown {
  return toFields(status)['status_list'];
}

/** The fields of a JSON object; none for any other value. */
function toFields(value: unknown): Payload {
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}

const allClaims = new Set<string>(Object.values(claimNames).flat());

function selectClaims(fields: Payload): Claims {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allClaims.has(name)));
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const listUrl = /\/api\/v1\/credentials\/(?:token-)?status-lists\/([0-9a-f-]{36})$/;

/** Reads a payload that has the fields of an attestation token. Checks each field, so that the reply to a verifier always matches its schema. */
function readContent({ url }: Issuer, fields: Payload): TokenContent | undefined {
  const { jti, sub = null, credential_type, attestation_tier, claims, iat, exp } = fields;
  const { idx, uri } = toFields(fields['place']);
  const status_list_id = typeof uri === 'string' && uri.startsWith(url) ? listUrl.exec(uri)?.[1] : undefined;
  if (typeof jti !== 'string' || !uuidText.test(jti) || (sub !== null && typeof sub !== 'string'))
    return undefined;
  if (!isOneOf(credentialTypes, credential_type) || !isOneOf(attestationTiers, attestation_tier))
    return undefined;
  if (!allowedTiers[credential_type].includes(attestation_tier)) return undefined;
  if (!isTime(iat) || !isTime(exp) || !isIndex(idx) || status_list_id === undefined) return undefined;
  if (!areClaims(credential_type, claims)) return undefined;
  return {
    credential_id: jti,
    credential_type,
    attestation_tier,
    claims,
    issued_at_s: iat,
    expires_at_s: exp,
    issued_at: new Date(iat * 1000).toISOString(),
    expires_at: new Date(exp * 1000).toISOString(),
    status_list_id,
    status_index: idx,
  };
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return values.some((each) => each === value);
}

/** Seconds since 1970, up to the year 9999. */
function isTime(value: unknown): value is number {
  return isIntegerBelow(253_402_300_800, value);
}

function isIndex(value: unknown): value is number {
  return isIntegerBelow(list_entries, value);
}

function isIntegerBelow(limit: number, value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < limit;
}

function areClaims(type: CredentialType, claims: unknown): claims is Claims {
  const names: readonly string[] = claimNames[type];
  return (
    typeof claims === 'object' &&
    claims !== null &&
    Object.entries(claims).every(([name, value]) => names.includes(name) && isClaimValue(name, value))
  );
}

function isClaimValue(name: string, value: unknown): boolean {
  if (name === 'achievement_alignment') return areAlignments(value);
  return typeof value === (name === 'trait_coverage' ? 'number' : 'string');
}

const alignments_max = 10;
const webAddress = /^https?:\/\//;

function areAlignments(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.length <= alignments_max && value.every(isAlignment)
  );
}

function isAlignment(value: unknown): boolean {
  const { targetName, targetUrl, targetFramework, targetCode, ...others } = toFields(value);
  return (
    [targetName, targetFramework, targetCode ?? ''].every((text) => typeof text === 'string') &&
    typeof targetUrl === 'string' &&
    webAddress.test(targetUrl) &&
    Object.keys(others).length === 0
  );
}
