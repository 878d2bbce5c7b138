import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Platform } from '#platform/platform.ts';
import { addMinutes, nonce_minutes, tx_code_digits } from './rules.ts';

type SecretsContext = Pick<Platform, 'secrets'>;

/** 256 bits in base64url, that nobody can guess. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of such a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The code behind an offer's address: whoever knows the address gets the code, and the database knows neither. */
export function deriveCode({ secrets }: SecretsContext, handle: string): string {
  return secrets.computeHmac('wallets.code', handle).toString('base64url');
}

export function createTxCode(): string {
  return String(randomInt(10 ** tx_code_digits)).padStart(tx_code_digits, '0');
}

/** A million digits are hashed in a second; without the master key nobody can begin. */
export function hashTxCode({ secrets }: SecretsContext, offer_id: string, tx_code: string): Buffer {
  return secrets.computeHmac('wallets.tx_code', `${offer_id} ${tx_code}`);
}

const random_bytes = 16;
const time_bytes = 6;
const mac_bytes = 32;

/** A nonce that carries its end and is signed: giving it out costs no row, however many ask. */
export function createNonce({ secrets }: SecretsContext, now: Date): string {
  const body = Buffer.alloc(random_bytes + time_bytes);
  randomBytes(random_bytes).copy(body);
  body.writeUIntBE(addMinutes(now, nonce_minutes).getTime(), random_bytes, time_bytes);
  return Buffer.concat([body, computeMac(secrets, body)]).toString('base64url');
}

/** When a nonce of ours ends; undefined where it is not ours or has ended. */
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
