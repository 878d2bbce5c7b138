import { authenticateCaller, findRememberedCaller } from '#modules/access/accounts';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Platform } from '#platform/platform.ts';
import { buildResource } from '../rules.ts';
import { authenticateCapability } from './authenticate-capability.ts';

/**
 * Authenticates the sender of an Authorization header at the REST API: by an access token, or by a capability token, which opens the rows of its
 * tools. An access token that is known is accepted synchronously, and costs nothing for the other kind.
 *
 * @throws Refusal `token_invalid`, `token_expired`, `account_suspended`.
 */
export function authenticateBearer(
  platform: Platform,
  authorization: string,
): LoggedInCaller | Promise<LoggedInCaller> {
  const known = findRememberedCaller(platform, authorization);
  if (known) return known;
  const isCapability = readAudience(authorization) === buildResource(platform.config.publicUrl);
  return isCapability
    ? authenticateCapability(platform, authorization)
    : authenticateCaller(platform, authorization);
}

/** The audience that a token claims, unverified: it only says who verifies the token. */
function readAudience(authorization: string): unknown {
  const payload = authorization.slice(0, 4_096).split('.', 2)[1];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud?: unknown } | null;
    return claims?.aud;
  } catch {
    return undefined;
  }
}
