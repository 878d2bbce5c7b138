import { createPrivateKey, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { didDocument, issuerOf, methodOf, multikeyOf, ownDocuments } from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** A key that signs, whose it is, and by which verification methods the two families of verifiers find it. */
export type Signing = {
  readonly controller: string;
  readonly method: string;
  readonly multikey: string;
  readonly curve: 'P-256' | 'P-384';
  readonly sign: (data: Uint8Array) => Buffer;
};

/** What a caller brings as `options.key`: a verification method with its key as JWK. */
type BroughtKey = { readonly id: string; readonly controller: string; readonly jwk: JsonWebKey };

const hashes = { 'P-256': 'sha256', 'P-384': 'sha384' } as const;

/** The key to sign with: the caller's own, or this service's. @throws VcApiError */
export function signingKey(platform: Platform, options: Fields): Signing {
  const brought = broughtKey(options['key']);
  if (!brought) return ownKey(platform);
  if (brought.jwk.d === undefined) throw new VcApiError('options.key must have a secretKeyJwk to sign with');
  const key = readKey(() => createPrivateKey({ key: brought.jwk, format: 'jwk' }));
  const { id, controller } = brought;
  return {
    controller,
    method: id,
    multikey: id,
    curve: curveOf(brought.jwk),
    sign: signer(key, curveOf(brought.jwk)),
  };
}

function ownKey(platform: Platform): Signing {
  const issuer = issuerOf(platform.config.publicUrl);
  const { kid, keyObjects } = platform.keys.active('ES256');
  return {
    controller: issuer.did,
    method: methodOf(issuer, kid),
    multikey: multikeyOf(issuer, kid),
    curve: 'P-256',
    sign: signer(keyObjects.private, 'P-256'),
  };
}

function signer(key: KeyObject, curve: Signing['curve']) {
  return (data: Uint8Array) => sign(hashes[curve], data, { key, dsaEncoding: 'ieee-p1363' });
}

function broughtKey(key: unknown): BroughtKey | undefined {
  if (key === undefined) return undefined;
  if (!isFields(key)) throw new VcApiError('options.key must be a verification method');
  const jwk = (key['secretKeyJwk'] ?? key['publicKeyJwk']) as JsonWebKey | undefined;
  if (!isFields(jwk)) throw new VcApiError('options.key must have a publicKeyJwk or a secretKeyJwk');
  const didOfKey = `did:jwk:${Buffer.from(JSON.stringify(publicPart(jwk))).toString('base64url')}`;
  const id = typeof key['id'] === 'string' ? key['id'] : `${didOfKey}#0`;
  const controller = typeof key['controller'] === 'string' ? key['controller'] : id.split('#', 1)[0]!;
  curveOf(jwk);
  return { id, controller, jwk };
}

function curveOf({ crv }: JsonWebKey): Signing['curve'] {
  if (crv !== 'P-256' && crv !== 'P-384') throw new VcApiError('options.key must be a P-256 or P-384 key');
  return crv;
}

function publicPart({ kty, crv, x, y }: JsonWebKey): JsonWebKey {
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
export async function publicKeyOf(platform: Platform, method: string, options: Fields): Promise<JsonWebKey> {
  const brought = broughtKey(options['key']);
  if (brought && brought.id === method) return publicPart(brought.jwk);
  const did = method.split('#', 1)[0]!;
  if (did.startsWith('did:jwk:')) return jwkOfDidJwk(did);
  const own = (await didDocument(platform)).verificationMethod.find(({ id }) => id === method);
  if (own && 'publicKeyJwk' in own) return own.publicKeyJwk;
  throw new VcApiError(`the verification method ${method.slice(0, 200)} is not known here`);
}

function jwkOfDidJwk(did: string): JsonWebKey {
  const jwk = readKey(
    () => JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString()) as JsonWebKey,
  );
  readKey(() => createPublicKey({ key: jwk, format: 'jwk' }));
  return jwk;
}

function readKey<Key>(read: () => Key): Key {
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
export function documentsFor(platform: Platform, options: Fields) {
  const own = ownDocuments(platform);
  const brought = broughtKey(options['key']);
  const found = (documentUrl: string, document: object) => ({ contextUrl: null, documentUrl, document });
  return async (url: string) => {
    if (url === examples.url) return found(url, examples.document);
    const did = url.split('#', 1)[0]!;
    // The service presents nothing by itself, so its own document allows its keys to assert and not to authenticate.
    if (url === issuerOf(platform.config.publicUrl).did) {
      const document = await didDocument(platform);
      return found(url, { ...document, authentication: document.assertionMethod });
    }
    if (brought && (url === brought.id || url === brought.controller))
      return found(url, await methodDocument(url, brought.id, brought.controller, brought.jwk));
    if (did.startsWith('did:jwk:'))
      return found(url, await methodDocument(url, `${did}#0`, did, jwkOfDidJwk(did)));
    if (did.startsWith('did:key:')) return found(url, didKeyDocument(url, did));
    return own(url);
  };
}

const multikey_context = 'https://w3id.org/security/multikey/v1';

async function methodDocument(url: string, id: string, controller: string, jwk: JsonWebKey): Promise<object> {
  const { fromJwk } = await import('@digitalbazaar/ecdsa-multikey');
  const key = await fromJwk({ jwk: publicPart(jwk) });
  const { publicKeyMultibase } = await key.export({ publicKey: true });
  return documentOf(url, { id, controller, publicKeyMultibase });
}

/** did:key Method Specification: the multibase key is the identifier itself. */
function didKeyDocument(url: string, did: string): object {
  const publicKeyMultibase = did.slice('did:key:'.length);
  return documentOf(url, { id: `${did}#${publicKeyMultibase}`, controller: did, publicKeyMultibase });
}

type Multikey = { readonly id: string; readonly controller: string; readonly publicKeyMultibase: string };

/** The verification method itself, or its controller's document with nothing but it. */
function documentOf(url: string, key: Multikey): object {
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
