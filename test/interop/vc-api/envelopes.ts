import { createHash, randomBytes } from 'node:crypto';
import { SDJwtInstance } from '@sd-jwt/core';
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import type { Platform } from '#platform/platform.ts';
import { readId, v2_context } from './data-model.ts';
import { resolvePublicKey, selectAlgorithm, type ResolvedKey, type Signer } from './keys.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** Enveloped credentials and presentations (VC-JOSE-COSE): the type of each, and the party whose key signs it. */
const credentials = { type: 'EnvelopedVerifiableCredential', cty: 'vc', party: 'issuer' } as const;
const presentations = { type: 'EnvelopedVerifiablePresentation', cty: 'vp', party: 'holder' } as const;

/** The media types of envelopes, with the `typ` of each. */
const envelopes = {
  'application/vc+jwt': { typ: 'vc+jwt', isSelective: false, ...credentials },
  'application/vc+sd-jwt': { typ: 'vc+sd-jwt', isSelective: true, ...credentials },
  'application/vp+jwt': { typ: 'vp+jwt', isSelective: false, ...presentations },
  'application/vp+sd-jwt': { typ: 'vp+sd-jwt', isSelective: true, ...presentations },
} as const;

export type EnvelopeType = keyof typeof envelopes;

function isEnvelopeType(value: unknown): value is EnvelopeType {
  return typeof value === 'string' && Object.hasOwn(envelopes, value);
}

/** Reads the media type in which a credential or a presentation is requested. @throws VcApiError */
export function readEnvelopeType(value: unknown, content: 'vc' | 'vp'): EnvelopeType {
  if (!isEnvelopeType(value) || envelopes[value].cty !== content)
    throw new VcApiError(
      `options.mediaType must be application/${content}+jwt, application/${content}+sd-jwt, or absent`,
    );
  return value;
}

/** Signs a credential or presentation as a token and returns the envelope with the token (Data Model 2.0, section 4.14). */
export async function signEnvelope(
  mediaType: EnvelopeType,
  content: Fields,
  signing: Signer,
  options: Fields,
): Promise<object> {
  const { typ, type, cty, isSelective } = envelopes[mediaType];
  const header = { alg: selectAlgorithm({ crv: signing.curve }), kid: signing.method, typ, cty };
  const payload = { ...content, iss: signing.controller };
  const compact = isSelective
    ? await signSdJwt(header, payload, signing, options)
    : signCompact(header, payload, signing);
  return { '@context': v2_context, id: `data:${mediaType},${compact}`, type };
}

function signCompact(header: object, payload: object, signing: Signer): string {
  const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encodePart(header)}.${encodePart(payload)}`;
  return `${signed}.${signing.sign(Buffer.from(signed)).toString('base64url')}`;
}

function signSdJwt(
  header: { readonly alg: string },
  payload: Fields,
  signing: Signer,
  options: Fields,
): Promise<string> {
  const instance = new SDJwtInstance({
    hasher: hashData,
    hashAlg: 'sha-256',
    saltGenerator: (length) => randomBytes(length).toString('base64url'),
    signAlg: header.alg,
    signer: (data: string) => signing.sign(Buffer.from(data)).toString('base64url'),
  });
  const frame = buildFrame(options['disclosurePaths'] ?? [], (place, name) => {
    const names = Array.isArray(place['_sd']) ? place['_sd'] : [];
    // The package knows an element of a list by its number. A name that looks like one may also be that of a field.
    place['_sd'] = [...names, name, ...(/^\d{1,4}$/.test(name) ? [Number(name)] : [])];
  });
  // The package derives the type of a frame from the type of the payload, whose fields are unknown here.
  return instance.issue({ ...payload }, frame as Parameters<typeof instance.issue<Fields>>[1], { header });
}

/** Removes all disclosures from an enveloped SD-JWT except those of the given paths. */
export async function discloseEnvelope(enveloped: Fields, options: Fields): Promise<object> {
  const { compact, mediaType } = readEnvelope(enveloped);
  if (!envelopes[mediaType].isSelective) throw new VcApiError('only an SD-JWT supports selective disclosure');
  const frame = buildFrame(options['disclosurePaths'] ?? [], (place, name) => (place[name] = true));
  const presented = await new SDJwtInstance({ hasher: hashData, hashAlg: 'sha-256' }).present(compact, frame);
  return { ...enveloped, id: `data:${mediaType},${presented}` };
}

const paths_max = 100;
const path_depth_max = 16;

/** The tree by which the package selects claims: `_sd` lists names to hide, true marks a claim to disclose. */
type Frame = { [name: string]: Frame | (string | number)[] | true };

/** Builds a tree with a mark at the end of each path. Paths are JSON pointers (RFC 6901). */
function buildFrame(paths: unknown, mark: (place: Frame, name: string) => void): Frame {
  if (!Array.isArray(paths) || paths.length > paths_max)
    throw new VcApiError(`disclosurePaths must be a list of at most ${paths_max} JSON pointers`);
  const root = createFrame();
  for (const path of paths) {
    const names = splitPointer(path);
    let place = root;
    for (const name of names.slice(0, -1)) place = openChild(place, name);
    mark(place, names.at(-1)!);
  }
  return root;
}

function openChild(place: Frame, name: string): Frame {
  const child = (place[name] ??= createFrame());
  if (!isFields(child)) throw new VcApiError('disclosurePaths must not contain a path into another one');
  return child;
}

/** Without a prototype, so that no name in a path has a value from the start. */
function createFrame(): Frame {
  return Object.create(null) as Frame;
}

function splitPointer(path: unknown): readonly string[] {
  const parts =
    typeof path === 'string' && path.startsWith('/') ? path.slice(1).split('/', path_depth_max) : [];
  const names = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (
    names.length === 0 ||
    ['@context', 'type', 'issuer', 'iss'].includes(names[0]!) ||
    names.includes('__proto__')
  )
    throw new VcApiError('disclosurePaths must contain JSON pointers, and none to @context, type or issuer');
  return names;
}

async function hashData(data: string | ArrayBuffer): Promise<Uint8Array> {
  return createHash('sha256')
    .update(typeof data === 'string' ? data : Buffer.from(data))
    .digest();
}

/** Whether a value is an envelope, that is, an object that contains a token. */
export function isEnvelope(value: unknown): value is Fields {
  return isFields(value) && Object.values(envelopes).some(({ type }) => type === value['type']);
}

function readEnvelope({ id, '@context': context }: Fields): { compact: string; mediaType: EnvelopeType } {
  const [, mediaType, compact] = /^data:([a-z/+-]+),([A-Za-z0-9._~-]+)$/.exec(String(id)) ?? [];
  const isContext = context === v2_context || (Array.isArray(context) && context[0] === v2_context);
  if (!isContext || compact === undefined || !isEnvelopeType(mediaType))
    throw new VcApiError(
      'an envelope must have the context of version 2 and a data: URL with a token of a known media type',
    );
  return { compact, mediaType };
}

/**
 * Verifies the token in an envelope: its type, its signature by the key that it names, and that this key belongs to the issuer or holder.
 *
 * @returns the credential or presentation in the token.
 * @throws VcApiError
 */
export async function verifyEnvelope(platform: Platform, carrier: Fields, options: Fields): Promise<Fields> {
  const { compact, mediaType } = readEnvelope(carrier);
  const [jws = ''] = compact.split('~', 1);
  const { typ, kid } = readHeader(jws);
  if (typ !== envelopes[mediaType].typ)
    throw new VcApiError(`the typ of the token must be ${envelopes[mediaType].typ}`);
  if (typeof kid !== 'string') throw new VcApiError('the token must name its key by kid');
  const key = await resolvePublicKey(platform, kid, options);
  const signed = await verifyPayload(jws, key);
  const content = envelopes[mediaType].isSelective ? await readSdPayload(compact) : signed;
  const party = readId(content[envelopes[mediaType].party]);
  if ('vc' in content || 'vp' in content)
    throw new VcApiError('the token must not have the claims vc and vp');
  if (party !== undefined && party !== key.controller)
    throw new VcApiError('the key does not belong to the issuer or holder');
  if (content['iss'] !== undefined && content['iss'] !== key.controller)
    throw new VcApiError('iss must be the issuer or holder');
  return content;
}

function readHeader(jws: string) {
  try {
    return decodeProtectedHeader(jws);
  } catch {
    throw new VcApiError('the token cannot be read');
  }
}

async function verifyPayload(jws: string, { jwk }: ResolvedKey): Promise<Fields> {
  const alg = selectAlgorithm(jwk);
  try {
    const { payload } = await compactVerify(jws, await importJWK(jwk, alg), { algorithms: [alg] });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as Fields;
  } catch {
    throw new VcApiError('the signature of the token does not verify');
  }
}

async function readSdPayload(compact: string): Promise<Fields> {
  try {
    return (await new SDJwtInstance({ hasher: hashData, hashAlg: 'sha-256' }).getClaims(compact)) as Fields;
  } catch {
    throw new VcApiError('the disclosures do not belong to the token');
  }
}
