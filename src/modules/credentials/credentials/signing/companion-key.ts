import { createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto';
import { encode } from 'base58-universal';
import { cacheByObject } from '#lib/cache-results.ts';
import type { SigningKey } from '#platform/security/keys.ts';

/**
 * Each signing key has a companion on the curve Ed25519, which verifiers of Open Badges ask for. Its seed is derived from the private key (HKDF, RFC
 * 5869), so it is created, retired and revoked with it, on every node, and nothing more has to be stored. Who has the companion cannot compute the key.
 */
const computeCompanion = cacheByObject((privateKey: KeyObject): KeyObject => {
  const { d } = privateKey.export({ format: 'jwk' });
  const seed = hkdfSync('sha256', Buffer.from(d!, 'base64url'), '', 'tessera companion ed25519', seed_bytes);
  const key = Buffer.concat([pkcs8Head, Buffer.from(seed)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
});

const seed_bytes = 32;
/** What PKCS #8 has before the seed of an Ed25519 key (RFC 8410 section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
/** What Multikey has before the bytes of a public Ed25519 key. */
const multikeyHead = Buffer.from([0xed, 0x01]);

/** Signs data with the companion of a key (RFC 8032). Equal data has equal signatures. */
export function signWithCompanion({ keyObjects }: SigningKey, data: Uint8Array): Buffer {
  return sign(null, data, computeCompanion(keyObjects.private));
}

/** The public half of the companion of a key, as Multikey writes it. */
export function computeCompanionMultibase({ keyObjects }: SigningKey): string {
  const { x } = createPublicKey(computeCompanion(keyObjects.private)).export({ format: 'jwk' });
  return `z${encode(Buffer.concat([multikeyHead, Buffer.from(x!, 'base64url')]))}`;
}
