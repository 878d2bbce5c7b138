import { createPublicKey, ECDH, type JsonWebKey } from 'node:crypto';
import { decode, encode } from 'base58-universal';
import type { KeyConfirmation } from '#modules/credentials/credentials';

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

/** The multicodec prefixes of the two key types (did:key Method Specification), as variable-length integers. */
const p256_prefix = Buffer.from([0x80, 0x24]);
const ed25519_prefix = Buffer.from([0xed, 0x01]);

function readDidKey(did: string): HolderKey | undefined {
  const multibase = did.slice('did:key:'.length);
  const bytes = multibase.startsWith('z') ? decodeBase58(multibase.slice(1)) : undefined;
  const jwk = bytes && decodeMulticodec(bytes);
  const key = toPublicJwk(jwk);
  return key && { jwk: key, did, confirmation: { kid: `${did}#${multibase}` } };
}

function decodeMulticodec(bytes: Buffer): JsonWebKey | undefined {
  const [prefix, key] = [bytes.subarray(0, 2), bytes.subarray(2)];
  if (prefix.equals(ed25519_prefix) && key.length === 32)
    return { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
  if (!prefix.equals(p256_prefix) || key.length !== 33) return undefined;
  const point = uncompressPoint(key);
  return (
    point && {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    }
  );
}

function uncompressPoint(key: Buffer): Buffer | undefined {
  try {
    // Without an output encoding the result is a Buffer, which its type does not say.
    return ECDH.convertKey(key, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer;
  } catch {
    return undefined;
  }
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

/** A P-256 key has 48 characters. Decoding base58 needs a limit, because its time grows with the square of the length. */
const base58_characters_max = 64;

/** Decodes base58btc (draft-msporny-base58). The package ignores white space, so text that is not the canonical encoding is rejected here. */
function decodeBase58(text: string): Buffer | undefined {
  if (text.length === 0 || text.length > base58_characters_max) return undefined;
  const bytes = decode(text);
  return bytes && encode(bytes) === text ? Buffer.from(bytes) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
