import { randomBytes } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';

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
