import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Platform } from '#platform/platform.ts';
import { minutesFrom, nonce_minutes, tx_code_digits } from './rules.ts';

type Keyed = Pick<Platform, 'secrets'>;

/** 256 bits in base64url, that nobody can guess. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of such a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The code behind an offer's address: whoever knows the address gets the code, and the database knows neither. */
export function codeOf({ secrets }: Keyed, handle: string): string {
  return secrets.hmac('wallets.code', handle).toString('base64url');
}

export function newTxCode(): string {
  return String(randomInt(10 ** tx_code_digits)).padStart(tx_code_digits, '0');
}

/** A million digits are hashed in a second; without the master key nobody can begin. */
export function txCodeHash({ secrets }: Keyed, offer_id: string, tx_code: string): Buffer {
  return secrets.hmac('wallets.tx_code', `${offer_id} ${tx_code}`);
}

const random_bytes = 16;
const time_bytes = 6;
const mac_bytes = 32;

/** A nonce that carries its end and is signed: giving it out costs no row, however many ask. */
export function newNonce({ secrets }: Keyed, now: Date): string {
  const body = Buffer.alloc(random_bytes + time_bytes);
  randomBytes(random_bytes).copy(body);
  body.writeUIntBE(minutesFrom(now, nonce_minutes).getTime(), random_bytes, time_bytes);
  return Buffer.concat([body, macOf(secrets, body)]).toString('base64url');
}

/** When a nonce of ours ends; undefined where it is not ours or has ended. */
export function nonceEnd({ secrets }: Keyed, nonce: string, now: Date): Date | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  if (bytes.length !== random_bytes + time_bytes + mac_bytes || bytes.toString('base64url') !== nonce)
    return undefined;
  const body = bytes.subarray(0, random_bytes + time_bytes);
  if (!timingSafeEqual(macOf(secrets, body), bytes.subarray(random_bytes + time_bytes))) return undefined;
  const end = new Date(body.readUIntBE(random_bytes, time_bytes));
  return end > now ? end : undefined;
}

function macOf(secrets: Keyed['secrets'], body: Buffer): Buffer {
  return secrets.hmac('wallets.nonce', body.toString('base64url'));
}
