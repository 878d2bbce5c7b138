import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { challenge_seconds } from './rules.ts';
import { insertUsedChallenge } from './store.ts';

/** What a passkey is asked for. */
export const challengePurposes = ['register', 'create_account', 'log_in', 'reauthenticate'] as const;

/** The purpose of a challenge, and the user who may answer it; null for a login and for a new account, whose users are not known yet. */
export type ChallengeUse = {
  readonly purpose: (typeof challengePurposes)[number];
  readonly user_id: string | null;
};

export type Challenge = { readonly challenge: string; readonly expires_at: Date };

const random_bytes = 16;
const time_bytes = 6;
const mac_bytes = 32;

/**
 * Creates a challenge: random bytes, the time at which it expires, and an HMAC over both, the purpose and the user. It is stored only when
 * it is answered, so anyone may ask for as many as they like, and every node accepts it.
 */
export function createChallenge({ secrets, now }: Pick<Services, 'secrets' | 'now'>, use: ChallengeUse) {
  const expires_s = Math.floor(now().getTime() / 1000) + challenge_seconds;
  const head = Buffer.concat([randomBytes(random_bytes), Buffer.alloc(time_bytes)]);
  head.writeUIntBE(expires_s, random_bytes, time_bytes);
  const challenge = Buffer.concat([head, computeMac(secrets, head, use)]).toString('base64url');
  return { challenge, expires_at: new Date(expires_s * 1000) };
}

/**
 * Reads a challenge that a browser has sent back.
 *
 * @returns undefined if this service did not make it, made it for another purpose or user, or if it has expired.
 */
export function readChallenge(
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  challenge: string,
  use: ChallengeUse,
): Challenge | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== random_bytes + time_bytes + mac_bytes || bytes.toString('base64url') !== challenge)
    return undefined;
  const head = bytes.subarray(0, random_bytes + time_bytes);
  if (!timingSafeEqual(bytes.subarray(head.length), computeMac(secrets, head, use))) return undefined;
  const expires_at = new Date(head.readUIntBE(random_bytes, time_bytes) * 1000);
  return expires_at > now() ? { challenge, expires_at } : undefined;
}

/** Marks a challenge as answered. @throws Refusal `passkey_challenge_invalid` if it was answered before. */
export async function consumeChallenge(tx: Transaction, { challenge, expires_at }: Challenge): Promise<void> {
  if ((await insertUsedChallenge(tx, hashToken(challenge), expires_at)) === 0)
    throw new Refusal('passkey_challenge_invalid');
}

function computeMac(secrets: Services['secrets'], head: Buffer, { purpose, user_id }: ChallengeUse): Buffer {
  return secrets.computeHmac(
    'passkey-challenge',
    JSON.stringify([purpose, user_id, head.toString('base64url')]),
  );
}
