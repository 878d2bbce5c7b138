import { formTypes, type FormName } from '../signing/signed-forms.ts';
import { vcTypes, type Issuer } from '../signing/issuer.ts';
import { readJws, token_characters_max, type ParsedJws } from '../signing/jws.ts';
import { attestationTiers, claimNames, credentialTypes, type CredentialType } from '../rules.ts';
import type { AttestationTier, Claims, ClaimName } from '../rules.ts';
import { splitSdJwt, applyDisclosures } from '../signing/sd-jwt.ts';

/** What a token of one of the three forms says. Nothing of it is verified yet. */
export type ParsedToken = {
  readonly form: FormName;
  readonly jws: ParsedJws;
  /** The key's id, without the issuer's name before it. */
  readonly kid: string;
  readonly content: TokenContent;
};

/** The same facts, whichever form they came in. */
export type TokenContent = {
  readonly credential_id: string;
  /** Null where the holder does not disclose it. */
  readonly subject: string | null;
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
  /** Those that are disclosed. */
  readonly claims: Claims;
  readonly issued_at_s: number;
  readonly expires_at_s: number;
  /** The same two times in ISO 8601: written once for a token that is asked about again and again. */
  readonly issued_at: string;
  readonly expires_at: string;
  readonly status_list_id: string;
  readonly status_index: number;
};

/** Why a token cannot be verified here: it is no token of these forms, or it names an issuer that is not this service. */
export type UnreadableToken =
  | { readonly unreadable: 'malformed' }
  | { readonly unreadable: 'foreign'; readonly issuer: string };

const malformed: UnreadableToken = { unreadable: 'malformed' };

type Payload = Readonly<Record<string, unknown>>;

/** Reads a token of any of the three forms, by the letter. */
export function readToken(issuer: Issuer, token: string): ParsedToken | UnreadableToken {
  const split = token.length <= token_characters_max ? splitParts(token) : undefined;
  const jws = split && readJws(split.jws);
  const form = jws && formNames.find((name) => formTypes[name] === jws.header.typ);
  if (!jws || !form || (form === 'sd_jwt_vc') !== token.includes('~')) return malformed;
  const { iss } = jws.payload;
  if (typeof iss !== 'string') return malformed;
  if (iss !== (form === 'vc_jwt' ? issuer.did : issuer.url)) return { unreadable: 'foreign', issuer: iss };
  const kid = readKid(issuer, form, jws);
  const content =
    kid === undefined ? undefined : contentReaders[form](issuer, jws.payload, split.disclosures);
  return kid !== undefined && content ? { form, jws, kid, content } : malformed;
}

const formNames = Object.keys(formTypes) as FormName[];

function splitParts(token: string) {
  return token.includes('~') ? splitSdJwt(token) : { jws: token, disclosures: [] };
}

/** A W3C credential names its key by the whole verification method, the other two by the key's id in the key set. */
function readKid({ did }: Issuer, form: FormName, { header: { kid } }: ParsedJws): string | undefined {
  if (form !== 'vc_jwt') return kid;
  return kid.startsWith(`${did}#`) ? kid.slice(did.length + 1) : undefined;
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
  vc_jwt: (issuer, payload) => {
    const { id, type, credentialSubject, credentialStatus } = payload as {
      id?: unknown;
      type?: unknown;
      credentialSubject?: Payload;
      credentialStatus?: Payload;
    };
    // The claim names that older formats wrapped a credential in must not appear (VC-JOSE-COSE section 3.1.1).
    if ('vc' in payload || 'vp' in payload || payload['jti'] !== id) return undefined;
    const [, ofType] = Array.isArray(type) ? (type as readonly unknown[]) : [];
    return readContent(issuer, {
      ...payload,
      jti: String(id).replace(/^urn:uuid:/, ''),
      credential_type: credentialTypes.find((name) => vcTypes[name] === ofType),
      claims: selectClaims(credentialSubject ?? {}),
      place: {
        idx: Number(credentialStatus?.['statusListIndex']),
        uri: credentialStatus?.['statusListCredential'],
      },
    });
  },
};

function readStatusPlace({ status }: Payload): unknown {
  return (status as { status_list?: unknown } | undefined)?.status_list;
}

const allClaims = new Set<string>(Object.values(claimNames).flat());

function selectClaims(fields: Payload): Claims {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allClaims.has(name)));
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const listUrl = /\/api\/v1\/credentials\/(?:token-)?status-lists\/([0-9a-f-]{36})$/;

/** A payload in the terms of an attestation token, checked field by field: whoever signed it, the answer to a verifier keeps its shape. */
function readContent({ url }: Issuer, fields: Payload): TokenContent | undefined {
  const { jti, sub = null, credential_type, attestation_tier, claims, iat, exp } = fields;
  const { idx, uri } = (fields['place'] ?? {}) as { readonly idx?: unknown; readonly uri?: unknown };
  const status_list_id = typeof uri === 'string' && uri.startsWith(url) ? listUrl.exec(uri)?.[1] : undefined;
  if (typeof jti !== 'string' || !uuidText.test(jti) || (sub !== null && typeof sub !== 'string'))
    return undefined;
  if (!isOneOf(credentialTypes, credential_type) || !isOneOf(attestationTiers, attestation_tier))
    return undefined;
  if (!isTime(iat) || !isTime(exp) || !isIndex(idx) || status_list_id === undefined) return undefined;
  if (!areClaims(credential_type, claims)) return undefined;
  return {
    credential_id: jti,
    subject: sub,
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

/** Seconds since 1970 that the calendar has room for. */
function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 253_402_300_800;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 131_072;
}

function areClaims(type: CredentialType, claims: unknown): claims is Claims {
  const names: readonly string[] = claimNames[type];
  return (
    typeof claims === 'object' &&
    claims !== null &&
    Object.entries(claims).every(
      ([name, value]) =>
        names.includes(name) &&
        (typeof value === 'number') === ((name as ClaimName) === 'trait_coverage') &&
        ['string', 'number'].includes(typeof value),
    )
  );
}
