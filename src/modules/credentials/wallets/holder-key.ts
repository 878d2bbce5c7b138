import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { KeyConfirmation } from '#modules/credentials/credentials';
import { readMultikey } from '#platform/security/multikey.ts';

/** The public key of a wallet in its canonical form, the DID by which a credential names it, and how an SD-JWT VC confirms it. */
export type HolderKey = {
  readonly jwk: PublicJwk;
  readonly did: string;
  /** A wallet that proved its key with a DID looks for the DID URL; one that proved a bare key looks for the key. */
  readonly confirmation: KeyConfirmation;
};

export type PublicJwk =
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };

/**
 * Reads the holder's key from the header of a proof: either from `jwk`, or from a `kid` that is a did:jwk or did:key. The key must be a
 * P-256 or Ed25519 key.
 *
 * @returns undefined for anything else, including a key that is not a point on its curve and a key with its private part.
 */
export function readHolderKey(header: {
  readonly jwk?: unknown;
  readonly kid?: unknown;
}): HolderKey | undefined {
  const { jwk, kid } = header;
  if (jwk !== undefined && kid !== undefined) return undefined;
  if (jwk !== undefined) return readJwk(jwk);
  if (typeof kid !== 'string') return undefined;
  const [did = '', fragment] = kid.split('#');
  if (did.startsWith('did:jwk:')) return isFragment(fragment, '0') ? readDidJwk(did) : undefined;
  if (did.startsWith('did:key:'))
    return isFragment(fragment, did.slice('did:key:'.length)) ? readDidKey(did) : undefined;
  return undefined;
}

function isFragment(fragment: string | undefined, expected: string): boolean {
  return fragment === undefined || fragment === expected;
}

function readJwk(jwk: unknown): HolderKey | undefined {
  const key = toPublicJwk(jwk);
  if (!key) return undefined;
  const did = `did:jwk:${Buffer.from(JSON.stringify(key)).toString('base64url')}`;
  return { jwk: key, did, confirmation: { jwk: key } };
}

/** did:jwk Method Specification: the identifier is the key itself in base64url. */
function readDidJwk(did: string): HolderKey | undefined {
  const key = toPublicJwk(parseJson(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString()));
  return key && { jwk: key, did, confirmation: { kid: `${did}#0` } };
}

function readDidKey(did: string): HolderKey | undefined {
  const multibase = did.slice('did:key:'.length);
  const key = toPublicJwk(readMultikey(multibase));
  return key && { jwk: key, did, confirmation: { kid: `${did}#${multibase}` } };
}

const private_members = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A key with only its required parameters, in canonical form, read by the library that later verifies with it. */
function toPublicJwk(value: unknown): PublicJwk | undefined {
  if (typeof value !== 'object' || value === null || private_members.some((name) => name in value))
    return undefined;
  try {
    const { kty, crv, x, y } = createPublicKey({ key: value as JsonWebKey, format: 'jwk' }).export({
      format: 'jwk',
    });
    if (kty === 'EC' && crv === 'P-256') return { kty, crv, x: x!, y: y! };
    if (kty === 'OKP' && crv === 'Ed25519') return { kty, crv, x: x! };
    return undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
