import { hash } from 'node:crypto';

/** Hashes a random token, key or cookie for storage (SHA-256). The hash opens nothing; what can be guessed needs an HMAC or Argon2 instead. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
