import type { Secrets } from '#platform/security/secrets.ts';

/** What ties the answer of a provider to the login that was started: the nonce of the ID token, and the verifier of the code (RFC 7636). */
export type LoginChecks = { readonly nonce: string; readonly code_verifier: string };

/** Derives the checks of a login from its id and the master key, so that they need not be stored. Each has 256 bits in base64url. */
export function deriveChecks(secrets: Pick<Secrets, 'computeHmac'>, id: string): LoginChecks {
  const derive = (purpose: string) => secrets.computeHmac(purpose, id).toString('base64url');
  return { nonce: derive('openid-nonce'), code_verifier: derive('openid-code-verifier') };
}
