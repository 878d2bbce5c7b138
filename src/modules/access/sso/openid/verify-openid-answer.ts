import type { Configuration } from 'openid-client';
import type { Services } from '#platform/platform.ts';
import { createResponseRefusal } from '../rules.ts';
import { connectProvider, findOutboundError, loadClient } from './connect-provider.ts';
import { deriveChecks } from './derive-checks.ts';
import { createUnavailableRefusal, isProviderFault } from './provider-faults.ts';
import { buildRedirectUri, type Claims, type OpenidConfiguration } from './rules.ts';

/** What a provider sends a browser back with (RFC 6749 section 4.1.2, RFC 9207). */
export type OpenidAnswer = {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
};

/**
 * Trades the code of an answer for an ID token, and verifies both: state, issuer, audience, nonce, times and signature.
 *
 * @returns the claims about the user. What the ID token leaves out comes from the UserInfo endpoint.
 * @throws Refusal `sso_response_refused`, `sso_provider_unavailable`.
 */
export async function verifyOpenidAnswer(
  services: Services,
  configuration: OpenidConfiguration,
  answer: OpenidAnswer,
  id: string,
): Promise<Claims> {
  try {
    const provider = await connectProvider(services, configuration);
    return await readClaims(services, provider, configuration, answer, id);
  } catch (error) {
    const outbound = error instanceof Error ? (findOutboundError(error) ?? error) : error;
    if (isProviderFault(outbound)) throw createUnavailableRefusal(outbound);
    const reason = describeFault(error);
    if (reason === undefined) throw error;
    throw createResponseRefusal(reason);
  }
}

async function readClaims(
  { config, secrets }: Services,
  provider: Configuration,
  { org_id, role_claim }: OpenidConfiguration,
  answer: OpenidAnswer,
  id: string,
): Promise<Claims> {
  const client = await loadClient();
  const { nonce, code_verifier } = deriveChecks(secrets, id);
  const address = new URL(buildRedirectUri(config.publicUrl, org_id));
  for (const [name, value] of Object.entries(answer)) address.searchParams.set(name, value);
  const tokens = await client.authorizationCodeGrant(provider, address, {
    expectedState: answer.state,
    expectedNonce: nonce,
    pkceCodeVerifier: code_verifier,
    idTokenExpected: true,
  });
  const claims: Claims = { ...tokens.claims() };
  const isComplete =
    claims['email'] !== undefined && (role_claim === null || claims[role_claim] !== undefined);
  if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  const more = await client.fetchUserInfo(provider, tokens.access_token, String(claims['sub']));
  return { ...more, ...claims };
}

/** What a person reads about an answer that proves nothing, by the code that the library gives its errors. */
const faults: Readonly<Record<string, string>> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: 'The provider refused the login.',
  OAUTH_RESPONSE_BODY_ERROR:
    'The provider did not take the code: it was used, has expired, or was issued for another client.',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE:
    'The provider did not accept this service: check the client id and its secret.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'A claim of the ID token is not as expected',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'The ID token is not valid now.',
  OAUTH_KEY_SELECTION_FAILED: 'No key of the provider has signed the ID token.',
  OAUTH_UNSUPPORTED_OPERATION: 'The signature of the ID token is of a kind that is not accepted.',
};

/** @returns undefined for a defect of this service. */
function describeFault(error: unknown): string | undefined {
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code !== 'string' || !code.startsWith('OAUTH_'))
    return name === 'TimeoutError' ? 'The provider did not answer in time.' : undefined;
  const known = faults[code];
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') return `${known}: ${nameClaim(cause)}.`;
  return known ?? 'The answer of the provider does not follow OpenID Connect.';
}

function nameClaim(cause: unknown): string {
  const { claim } = ((cause as { cause?: unknown } | undefined)?.cause ?? {}) as { claim?: unknown };
  return typeof claim === 'string' ? claim : 'unknown';
}
