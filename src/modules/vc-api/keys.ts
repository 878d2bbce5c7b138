import { createPrivateKey, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import {
  buildDidDocument,
  buildIssuer,
  buildMethodId,
  buildMultikeyId,
  createOwnDocumentLoader,
} from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** A key that signs, whose it is, and by which verification methods the two families of verifiers find it. */
export type Signer = {
  readonly controller: string;
  readonly method: string;
  readonly multikey: string;
  readonly curve: 'P-256' | 'P-384';
  readonly sign: (data: Uint8Array) => Buffer;
};

/** What a caller brings as `options.key`: a verification method with its key as JWK. */
type CallerKey = { readonly id: string; readonly controller: string; readonly jwk: JsonWebKey };

const hashes = { 'P-256': 'sha256', 'P-384': 'sha384' } as const;

/** The key to sign with: the caller's own, or this service's. @throws VcApiError */
export function readSigner(platform: Platform, options: Fields): Signer {
  const brought = readCallerKey(options['key']);
  if (!brought) return buildServiceSigner(platform);
  if (brought.jwk.d === undefined) throw new VcApiError('options.key must have a secretKeyJwk to sign with');
  const key = guardKeyRead(() => createPrivateKey({ key: brought.jwk, format: 'jwk' }));
  const { id, controller } = brought;
  return {
    controller,
    method: id,
    multikey: id,
    curve: readCurve(brought.jwk),
    sign: createSignFunction(key, readCurve(brought.jwk)),
  };
}

function buildServiceSigner(platform: Platform): Signer {
  const issuer = buildIssuer(platform.config.publicUrl);
  const { kid, keyObjects } = platform.keys.selectActive('ES256');
  return {
    controller: issuer.did,
    method: buildMethodId(issuer, kid),
    multikey: buildMultikeyId(issuer, kid),
    curve: 'P-256',
    sign: createSignFunction(keyObjects.private, 'P-256'),
  };
}

function createSignFunction(key: KeyObject, curve: Signer['curve']) {
  return (data: Uint8Array) => sign(hashes[curve], data, { key, dsaEncoding: 'ieee-p1363' });
}

function readCallerKey(key: unknown): CallerKey | undefined {
  if (key === undefined) return undefined;
  if (!isFields(key)) throw new VcApiError('options.key must be a verification method');
  const jwk = (key['secretKeyJwk'] ?? key['publicKeyJwk']) as JsonWebKey | undefined;
  if (!isFields(jwk)) throw new VcApiError('options.key must have a publicKeyJwk or a secretKeyJwk');
  const didOfKey = `did:jwk:${Buffer.from(JSON.stringify(toPublicJwk(jwk))).toString('base64url')}`;
  const id = typeof key['id'] === 'string' ? key['id'] : `${didOfKey}#0`;
  const controller = typeof key['controller'] === 'string' ? key['controller'] : id.split('#', 1)[0]!;
  readCurve(jwk);
  return { id, controller, jwk };
}

function readCurve({ crv }: JsonWebKey): Signer['curve'] {
  if (crv !== 'P-256' && crv !== 'P-384') throw new VcApiError('options.key must be a P-256 or P-384 key');
  return crv;
}

function toPublicJwk({ kty, crv, x, y }: JsonWebKey): JsonWebKey {
  return {
    ...(kty !== undefined && { kty }),
    ...(crv !== undefined && { crv }),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
  };
}

/**
 * The public key of a verification method: the caller's, this service's own, or one that a did:jwk or did:key spells out. Nothing is fetched
 * from the network. @throws VcApiError
 */
export async function resolvePublicKey(
  platform: Platform,
  method: string,
  options: Fields,
): Promise<JsonWebKey> {
  const brought = readCallerKey(options['key']);
  if (brought && brought.id === method) return toPublicJwk(brought.jwk);
  const did = method.split('#', 1)[0]!;
  if (did.startsWith('did:jwk:')) return decodeDidJwk(did);
  const own = (await buildDidDocument(platform)).verificationMethod.find(({ id }) => id === method);
  if (own && 'publicKeyJwk' in own) return own.publicKeyJwk;
  throw new VcApiError(`the verification method ${method.slice(0, 200)} is not known here`);
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

/** The context under which test suites explain made-up terms (https://www.w3.org/ns/credentials/examples/v2). */
const examples = {
  url: 'https://www.w3.org/ns/credentials/examples/v2',
  document: { '@context': { '@vocab': 'https://www.w3.org/ns/credentials/examples#' } },
};

/** Loads what linked data names, from here only: our documents and contexts, the caller's key, did:key and did:jwk. */
export function createDocumentLoader(platform: Platform, options: Fields) {
  const own = createOwnDocumentLoader(platform);
  const brought = readCallerKey(options['key']);
  const wrapDocument = (documentUrl: string, document: object) => ({
    contextUrl: null,
    documentUrl,
    document,
  });
  return async (url: string) => {
    if (url === examples.url) return wrapDocument(url, examples.document);
    const did = url.split('#', 1)[0]!;
    // The service presents nothing by itself, so its own document allows its keys to assert and not to authenticate.
    if (url === buildIssuer(platform.config.publicUrl).did) {
      const document = await buildDidDocument(platform);
      return wrapDocument(url, { ...document, authentication: document.assertionMethod });
    }
    if (brought && (url === brought.id || url === brought.controller))
      return wrapDocument(url, await buildMethodDocument(url, brought.id, brought.controller, brought.jwk));
    if (did.startsWith('did:jwk:'))
      return wrapDocument(url, await buildMethodDocument(url, `${did}#0`, did, decodeDidJwk(did)));
    if (did.startsWith('did:key:')) return wrapDocument(url, buildDidKeyDocument(url, did));
    return own(url);
  };
}

const multikey_context = 'https://w3id.org/security/multikey/v1';

async function buildMethodDocument(
  url: string,
  id: string,
  controller: string,
  jwk: JsonWebKey,
): Promise<object> {
  const { fromJwk } = await import('@digitalbazaar/ecdsa-multikey');
  const key = await fromJwk({ jwk: toPublicJwk(jwk) });
  const { publicKeyMultibase } = await key.export({ publicKey: true });
  return buildMultikeyDocument(url, { id, controller, publicKeyMultibase });
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

/** The verification method itself, or its controller's document with nothing but it. */
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
