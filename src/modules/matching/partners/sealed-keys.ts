import type { Secrets } from '#platform/security/secrets.ts';

const purpose = 'partner-key';

/** Encrypts the key by which an applicant tracking system knows the organisation. */
export function sealKey(secrets: Pick<Secrets, 'encrypt'>, key: string): Buffer {
  return secrets.encrypt(purpose, key);
}

/** Decrypts what {@link sealKey} encrypted. */
export function unsealKey(secrets: Pick<Secrets, 'decrypt'>, sealed: Buffer): string {
  return secrets.decrypt(purpose, sealed);
}
