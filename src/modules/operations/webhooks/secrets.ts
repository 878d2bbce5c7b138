import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Subscription } from './resource.ts';
import { readKeys, type SigningKeys } from './signatures.ts';
import type { SealedSecrets } from './store-subscriptions.ts';

const purpose = 'webhook-secret';
const secret_bytes = 32;

/** Generates a secret in the form of Standard Webhooks. */
export function generateSecret(): string {
  return `whsec_${randomBytes(secret_bytes).toString('base64')}`;
}

export function sealSecret(secrets: Pick<Secrets, 'encrypt'>, secret: string): Buffer {
  return secrets.encrypt(purpose, secret);
}

export function unsealSecret(secrets: Pick<Secrets, 'decrypt'>, sealed: Buffer): string {
  return secrets.decrypt(purpose, sealed);
}

/** Reads the keys that sign the deliveries of a subscription now: of its secret and, until the end of a rotation, of the one before. */
export function readSigningKeys(
  secrets: Pick<Secrets, 'decrypt'>,
  subscription: SealedSecrets & Pick<Subscription, 'previous_secret_expires_at'>,
  now: Date,
): SigningKeys {
  const { secret_sealed, previous_secret_sealed, previous_secret_expires_at } = subscription;
  const isOverlapping = previous_secret_expires_at !== null && previous_secret_expires_at > now;
  const readSealed = (sealed: Buffer) => readKeys(unsealSecret(secrets, sealed));
  return {
    current: readSealed(secret_sealed),
    previous: isOverlapping && previous_secret_sealed ? readSealed(previous_secret_sealed) : undefined,
  };
}
