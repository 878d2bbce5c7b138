import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Platform } from '#platform/platform.ts';
import { addMinutes, nonce_minutes, tx_code_digits } from './rules.ts';

type SecretsContext = Pick<Platform, 'secrets'>;

/** A random secret of 256 bits, in base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The pre-authorized code of an offer, derived from the secret in its URL. Anyone who knows the URL can get the code; the database contains neither. */
export function deriveCode({ secrets }: SecretsContext, handle: string): string {
  return secrets.computeHmac('wallets.code', handle).toString('base64url');
}

export function createTxCode(): string {
  return String(randomInt(10 ** tx_code_digits)).padStart(tx_code_digits, '0');
}

/** Hashes a transaction code with a secret key: without one, all million codes could be hashed within a second. */
export function hashTxCode({ secrets }: SecretsContext, offer_id: string, tx_code: string): Buffer {
  return secrets.computeHmac('wallets.tx_code', `${offer_id} ${tx_code}`);
}

const random_bytes = 16;
const time_bytes = 6;
const mac_bytes = 32;

/** Creates a nonce that contains its expiry and a MAC, so that issuing nonces stores nothing. */
export function createNonce({ secrets }: SecretsContext, now: Date): string {
  const body = Buffer.alloc(random_bytes + time_bytes);
  randomBytes(random_bytes).copy(body);
  body.writeUIntBE(addMinutes(now, nonce_minutes).getTime(), random_bytes, time_bytes);
  return Buffer.concat([body, computeMac(secrets, body)]).toString('base64url');
}

/** The expiry of a nonce of this service; undefined for any other nonce and for an expired one. */
export function readNonceEnd({ secrets }: SecretsContext, nonce: string, now: Date): Date | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  if (bytes.length !== random_bytes + time_bytes + mac_bytes || bytes.toString('base64url') !== nonce)
    return undefined;
  const body = bytes.subarray(0, random_bytes + time_bytes);
  if (!timingSafeEqual(computeMac(secrets, body), bytes.subarray(random_bytes + time_bytes)))
    return undefined;
  const end = new Date(body.readUIntBE(random_bytes, time_bytes));
  return end > now ? end : undefined;
}

function computeMac(secrets: SecretsContext['secrets'], body: Buffer): Buffer {
  return secrets.computeHmac('wallets.nonce', body.toString('base64url'));
}
