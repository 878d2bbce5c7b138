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

/** A signing key, its controller, and the verification methods under which the two families of verifiers find it. */
export type Signer = {
  readonly controller: string;
  readonly method: string;
  readonly multikey: string;
  readonly curve: 'P-256' | 'P-384';
  readonly sign: (data: Uint8Array) => Buffer;
};

/** The caller's `options.key`: a verification method with its key as JWK. */
type CallerKey = { readonly id: string; readonly controller: string; readonly jwk: JsonWebKey };

const hashes = { 'P-256': 'sha256', 'P-384': 'sha384' } as const;

/** The key to sign with: the caller's if the options contain one, otherwise this service's. @throws VcApiError */
export function readSigner(platform: Platform, options: Fields): Signer {
  const callerKey = readCallerKey(options['key']);
  if (!callerKey) return buildServiceSigner(platform);
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
 * The public key of a verification method: the caller's, one of this service, or the one in a did:jwk. Nothing is fetched from the network.
 *
 * @throws VcApiError
 */
export async function resolvePublicKey(
  platform: Platform,
  method: string,
  options: Fields,
): Promise<JsonWebKey> {
  const callerKey = readCallerKey(options['key']);
  if (callerKey && callerKey.id === method) return toPublicJwk(callerKey.jwk);
  const did = method.split('#', 1)[0]!;
  if (did.startsWith('did:jwk:')) return decodeDidJwk(did);
  const serviceMethod = (await buildDidDocument(platform)).verificationMethod.find(({ id }) => id === method);
  if (serviceMethod && 'publicKeyJwk' in serviceMethod) return serviceMethod.publicKeyJwk;
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

/** The context in which test suites define their example terms (https://www.w3.org/ns/credentials/examples/v2). */
const examples = {
  url: 'https://www.w3.org/ns/credentials/examples/v2',
  document: { '@context': { '@vocab': 'https://www.w3.org/ns/credentials/examples#' } },
};

/** Creates a loader of linked data documents: the service's documents and contexts, the caller's key, did:key and did:jwk. Nothing is fetched. */
export function createDocumentLoader(platform: Platform, options: Fields) {
  const loadOwnDocument = createOwnDocumentLoader(platform);
  const callerKey = readCallerKey(options['key']);
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
    if (callerKey && (url === callerKey.id || url === callerKey.controller))
      return wrapDocument(
        url,
        await buildMethodDocument(url, callerKey.id, callerKey.controller, callerKey.jwk),
      );
    if (did.startsWith('did:jwk:'))
      return wrapDocument(url, await buildMethodDocument(url, `${did}#0`, did, decodeDidJwk(did)));
    if (did.startsWith('did:key:')) return wrapDocument(url, buildDidKeyDocument(url, did));
    return loadOwnDocument(url);
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
