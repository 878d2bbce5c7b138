import { hash } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';

/** What is kept of a random token: nothing that would let anybody in. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** A mailed token follows from its id under the master key, so that it stands neither in the database nor in the queue. */
export function deriveMailedToken(secrets: Secrets, mailed_token_id: string): string {
  return secrets.computeHmac('mailed-token', mailed_token_id).toString('base64url');
}
