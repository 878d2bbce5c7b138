import { createHash } from 'node:crypto';
import type { Secrets } from '#platform/security/secrets.ts';

/** Derives the token from the invitation's id and the master key, so that neither the database nor the queue contains it. */
export function deriveInvitationToken(secrets: Secrets, invitation_id: string): string {
  return secrets.computeHmac('invitation', invitation_id).toString('base64url');
}

/** The stored form of a token, which cannot be used to accept the invitation. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
