import { createHash } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';

/** The token follows from the invitation's id under the master key, so that it stands neither in the database nor in the queue. */
export function deriveInvitationToken(secrets: Secrets, invitation_id: string): string {
  return secrets.computeHmac('invitation', invitation_id).toString('base64url');
}

/** What is kept of a token: nothing that would let anybody in. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
