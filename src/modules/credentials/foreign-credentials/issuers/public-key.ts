import { constants, createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isFields, toText, type Fields } from '../reading/json.ts';
import { readMultikey } from '#platform/security/multikey.ts';

/** The algorithms of signatures that are verified here (RFC 7518, RFC 8037), by the kind of key that each needs. */
const algorithms = {
  ES256: { hash: 'sha256', kind: 'P-256' },
  ES384: { hash: 'sha384', kind: 'P-384' },
  EdDSA: { hash: null, kind: 'Ed25519' },
  Ed25519: { hash: null, kind: 'Ed25519' },
  RS256: { hash: 'sha256', kind: 'RSA' },
} as const;

export type Algorithm = keyof typeof algorithms;

/** A public key of an issuer. */
export type PublicKey = { readonly object: KeyObject; readonly kind: (typeof algorithms)[Algorithm]['kind'] };

/** The smallest RSA key that is still safe, and the largest whose signatures take no long time. */
const [rsa_bits_min, rsa_bits_max] = [2048, 4096];

/** Reads a public key from the fields of a verification method or from a JWK. @returns undefined if it is none of the kinds that are used here. */
export function readPublicKey(method: Fields): PublicKey | undefined {
  const multibase = toText(method['publicKeyMultibase']);
  const jwk = multibase === undefined ? (method['publicKeyJwk'] ?? method) : readMultikey(multibase);
  if (!isFields(jwk)) return undefined;
  try {
    const { kty, crv, x, y, n, e } = jwk;
    const object = createPublicKey({ key: { kty, crv, x, y, n, e } as JsonWebKey, format: 'jwk' });
    const kind = readKind(object);
    return kind && { object, kind };
  } catch {
    return undefined;
  }
}

function readKind({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'ed25519') return 'Ed25519';
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'P-256';
  if (type === 'ec' && details?.namedCurve === 'secp384r1') return 'P-384';
  const bits = details?.modulusLength ?? 0;
  return type === 'rsa' && bits >= rsa_bits_min && bits <= rsa_bits_max ? 'RSA' : undefined;
}

/** Whether signatures of an algorithm are verified here. */
export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(algorithms, name);
}

/** Verifies a signature. A key of another kind than the algorithm needs has not made it. */
export function isSignatureOf(
  key: PublicKey,
  algorithm: Algorithm,
  data: Buffer,
  signature: Buffer,
): boolean {
  const { hash, kind } = algorithms[algorithm];
  if (key.kind !== kind) return false;
  const padding = kind === 'RSA' ? { padding: constants.RSA_PKCS1_PADDING } : {};
  return verify(hash, data, { key: key.object, dsaEncoding: 'ieee-p1363', ...padding }, signature);
}
