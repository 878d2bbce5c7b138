import { createPrivateKey, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { encode } from 'base58-universal';
import { createOwnDocumentLoader } from '../../../src/modules/credentials/credentials/signing/data-integrity.ts';
import {
  buildDidDocument,
  buildMultikeyId,
} from '../../../src/modules/credentials/credentials/signing/did-document.ts';
import { buildIssuer, buildMethodId } from '../../../src/modules/credentials/credentials/signing/issuer.ts';
import type { Platform } from '#platform/platform.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** A signing key, its controller, and the verification methods under which the two families of verifiers find it. */
export type Signer = {
  readonly controller: string;
  readonly method: string;
  readonly multikey: string;
  readonly curve: Curve;
  readonly sign: (data: Uint8Array) => Buffer;
};

/** A key of the caller's `options.key`: a verification method with its key as JWK. */
type CallerKey = { readonly id: string; readonly controller: string; readonly jwk: JsonWebKey };

/** The hash of each curve, and the name of its signatures in JOSE (RFC 7518, RFC 8037). Ed25519 hashes by itself. */
const curves = {
  'P-256': { hash: 'sha256', alg: 'ES256' },
  'P-384': { hash: 'sha384', alg: 'ES384' },
  'P-521': { hash: 'sha512', alg: 'ES512' },
  Ed25519: { hash: null, alg: 'EdDSA' },
} as const;

export type Curve = keyof typeof curves;

/** The key to sign with: the caller's if the options contain one, otherwise this service's. @throws VcApiError */
export function readSigner(platform: Platform, options: Fields): Signer {
  const callerKeys = readCallerKeys(options);
  const [callerKey] = callerKeys;
  if (!callerKey) return buildServiceSigner(platform);
  if (callerKeys.length > 1) throw new VcApiError('options.key must be one key to sign with');
  if (callerKey.jwk.d === undefined)
    throw new VcApiError('options.key must have a secretKeyJwk to sign with');
  const key = guardKeyRead(() => createPrivateKey({ key: callerKey.jwk, format: 'jwk' }));
  const { id, controller } = callerKey;
  return {
    controller,
    method: id,
    multikey: id,
    curve: readCurve(callerKey.jwk),
    sign: createSignFunction(key, readCurve(callerKey.jwk)),
  };
}

function buildServiceSigner(platform: Platform): Signer {
  const issuer = buildIssuer(platform.config.publicUrl);
  const { kid, keyObjects } = platform.keys.selectActive('credential');
  return {
    controller: issuer.did,
    method: buildMethodId(issuer, kid),
    multikey: buildMultikeyId(issuer, kid),
    curve: 'P-256',
    sign: createSignFunction(keyObjects.private, 'P-256'),
  };
}

function createSignFunction(key: KeyObject, curve: Signer['curve']) {
  return (data: Uint8Array) => sign(curves[curve].hash, data, { key, dsaEncoding: 'ieee-p1363' });
}

const caller_keys_max = 20;

/** Reads `options.key`: nothing, one key, or a list, such as the keys of a controller that does not exist on the network. @throws VcApiError */
function readCallerKeys({ key }: Fields): readonly CallerKey[] {
  if (key === undefined) return [];
  const keys: readonly unknown[] = Array.isArray(key) ? key : [key];
  if (keys.length > caller_keys_max)
    throw new VcApiError(`options.key must have at most ${caller_keys_max} keys`);
  return keys.map(readCallerKey);
}

function readCallerKey(key: unknown): CallerKey {
  if (!isFields(key)) throw new VcApiError('options.key must be a verification method');
  const jwk = (key['secretKeyJwk'] ?? key['publicKeyJwk']) as JsonWebKey | undefined;
  if (!isFields(jwk)) throw new VcApiError('options.key must have a publicKeyJwk or a secretKeyJwk');
  const didOfKey = `did:jwk:${Buffer.from(JSON.stringify(toPublicJwk(jwk))).toString('base64url')}`;
  const id = typeof key['id'] === 'string' ? key['id'] : `${didOfKey}#0`;
  const controller = typeof key['controller'] === 'string' ? key['controller'] : id.split('#', 1)[0]!;
  readCurve(jwk);
  return { id, controller, jwk };
}

function readCurve({ crv }: JsonWebKey): Curve {
  if (!isCurve(crv))
    throw new VcApiError(`options.key must be a key on one of the curves ${Object.keys(curves).join(', ')}`);
  return crv;
}

function isCurve(crv: unknown): crv is Curve {
  return typeof crv === 'string' && Object.hasOwn(curves, crv);
}

/** The name of a key's signatures in JOSE. @throws VcApiError for a key on another curve. */
export function selectAlgorithm(key: Pick<JsonWebKey, 'crv'>): (typeof curves)[Curve]['alg'] {
  return curves[readCurve(key)].alg;
}

function toPublicJwk({ kty, crv, x, y }: JsonWebKey): JsonWebKey {
  return {
    ...(kty !== undefined && { kty }),
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
  };
}

/** A public key, and its controller. */
export type ResolvedKey = { readonly jwk: JsonWebKey; readonly controller: string };

/**
 * The public key that a token names: one of the caller's, whose verification method or JWK has that id, one of this service, or the one in a
 * did:jwk. Nothing is fetched from the network.
 *
 * @throws VcApiError
 */
export async function resolvePublicKey(
  platform: Platform,
  kid: string,
  options: Fields,
): Promise<ResolvedKey> {
  const callerKey = findCallerKey(options, kid);
  if (callerKey) return { jwk: toPublicJwk(callerKey.jwk), controller: callerKey.controller };
  const controller = kid.split('#', 1)[0]!;
  if (controller.startsWith('did:jwk:')) return { jwk: decodeDidJwk(controller), controller };
  const serviceMethod = (await buildDidDocument(platform)).verificationMethod.find(({ id }) => id === kid);
  if (serviceMethod && 'publicKeyJwk' in serviceMethod)
    return { jwk: serviceMethod.publicKeyJwk, controller };
  throw new VcApiError(`the verification method ${kid.slice(0, 200)} is not known here`);
}

function findCallerKey(options: Fields, kid: string): CallerKey | undefined {
  const callerKeys = readCallerKeys(options);
  return callerKeys.find(({ id }) => id === kid) ?? callerKeys.find(({ jwk }) => jwk['kid'] === kid);
}

function decodeDidJwk(did: string): JsonWebKey {
  const jwk = guardKeyRead(
    () => JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString()) as JsonWebKey,
  );
  guardKeyRead(() => createPublicKey({ key: jwk, format: 'jwk' }));
  return jwk;
}

function guardKeyRead<Key>(read: () => Key): Key {
  try {
    return read();
  } catch {
    throw new VcApiError('the key cannot be read');
  }
}

/** The context in which test suites define their example terms (https://www.w3.org/ns/credentials/examples/v2). */
const examples = {
  url: 'https://www.w3.org/ns/credentials/examples/v2',
  document: { '@context': { '@vocab': 'https://www.w3.org/ns/credentials/examples#' } },
};

/** Creates a loader of linked data documents: the service's documents and contexts, the caller's key, did:key and did:jwk. Nothing is fetched. */
export function createDocumentLoader(platform: Platform, options: Fields) {
  const loadOwnDocument = createOwnDocumentLoader(platform);
  const callerKeys = readCallerKeys(options);
  const wrapDocument = (documentUrl: string, document: object) => ({
    contextUrl: null,
    documentUrl,
    document,
  });
  return async (url: string) => {
    if (url === examples.url) return wrapDocument(url, examples.document);
    const did = url.split('#', 1)[0]!;
    // The published document allows the service's keys only to assert, because the service presents nothing. Test suites also authenticate.
    if (url === buildIssuer(platform.config.publicUrl).did) {
      const document = await buildDidDocument(platform);
      return wrapDocument(url, { ...document, authentication: document.assertionMethod });
    }
    const callerKey = callerKeys.find(({ id, controller }) => url === id || url === controller);
    if (callerKey) return wrapDocument(url, await buildMethodDocument(url, callerKey));
    if (did.startsWith('did:jwk:'))
      return wrapDocument(
        url,
        await buildMethodDocument(url, { id: `${did}#0`, controller: did, jwk: decodeDidJwk(did) }),
      );
    if (did.startsWith('did:key:')) return wrapDocument(url, buildDidKeyDocument(url, did));
    return loadOwnDocument(url);
  };
}

const multikey_context = 'https://w3id.org/security/multikey/v1';

async function buildMethodDocument(url: string, { id, controller, jwk }: CallerKey): Promise<object> {
  return buildMultikeyDocument(url, { id, controller, publicKeyMultibase: await encodeMultikey(jwk) });
}

/** The header of an Ed25519 public key (Controlled Identifiers 1.0, section 2.2.2), for which the package of the other curves has no code. */
const ed25519_header = [0xed, 0x01];

async function encodeMultikey(jwk: JsonWebKey): Promise<string> {
  if (jwk.crv === 'Ed25519')
    return `z${encode(Buffer.from([...ed25519_header, ...Buffer.from(jwk.x ?? '', 'base64url')]))}`;
  const { fromJwk } = await import('@digitalbazaar/ecdsa-multikey');
  const key = await fromJwk({ jwk: toPublicJwk(jwk) });
  return (await key.export({ publicKey: true })).publicKeyMultibase;
}

/** did:key Method Specification: the multibase key is the identifier itself. */
function buildDidKeyDocument(url: string, did: string): object {
  const publicKeyMultibase = did.slice('did:key:'.length);
  return buildMultikeyDocument(url, {
    id: `${did}#${publicKeyMultibase}`,
    controller: did,
    publicKeyMultibase,
  });
}

type Multikey = { readonly id: string; readonly controller: string; readonly publicKeyMultibase: string };

/** The verification method itself, or a document of its controller that contains only this method. */
function buildMultikeyDocument(url: string, key: Multikey): object {
  const method = { type: 'Multikey', ...key };
  if (url === key.id) return { '@context': multikey_context, ...method };
  return {
    '@context': ['https://www.w3.org/ns/did/v1', multikey_context],
    id: key.controller,
    verificationMethod: [method],
    assertionMethod: [key.id],
    authentication: [key.id],
  };
}
