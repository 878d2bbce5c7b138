import type { Secrets } from '#platform/security/secrets.ts';

/** Derives an emailed token from its id and the master key, so that neither the database nor the queue stores the token. */
export function deriveMailedToken(secrets: Secrets, mailed_token_id: string): string {
  return secrets.computeHmac('mailed-token', mailed_token_id).toString('base64url');
}
