import { createHash } from 'node:crypto';

/** What is kept of a random token: nothing that would let anybody in. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
