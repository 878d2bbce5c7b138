import { LRUCache } from 'lru-cache';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { endedSessions } from './watch-sessions.ts';
import { verifyAccessToken, type VerifiedToken } from './verify-access-token.ts';

const remembered_max = 10_000;
/** Limits how long a token is accepted if its key is removed while the token is being verified. */
const remembered_ms = 60_000;

/** Verified tokens by Authorization header. Verifying a signature costs about a hundred times as much as this lookup. */
const verifiedTokens = instanceMemory((platform) => {
  const tokens = new LRUCache<string, VerifiedToken>({ max: remembered_max });
  platform.keys.onChange(() => tokens.clear());
  return tokens;
});

/**
 * Authenticates the sender of an Authorization header. A token that was verified within the last minute is accepted synchronously, without
 * the database. Expiry and revocation are checked every time.
 *
 * @throws Refusal `token_invalid`, `token_expired`, `account_suspended` or `organisation_suspended`.
 */
export function authenticateCaller(
  platform: Platform,
  authorization: string,
): LoggedInCaller | Promise<LoggedInCaller> {
  return findRememberedCaller(platform, authorization) ?? verifyUnknownToken(platform, authorization);
}

/**
 * Authenticates the sender of a token that was verified within the last minute.
 *
 * @returns undefined for another token, which {@link authenticateCaller} verifies.
 * @throws Refusal `token_invalid`, `token_expired`, or `account_suspended`.
 */
export function findRememberedCaller(platform: Platform, authorization: string): LoggedInCaller | undefined {
  const now_ms = platform.now().getTime();
  const verified = verifiedTokens(platform).get(authorization);
  if (verified === undefined || Math.abs(now_ms - verified.verified_at_ms) >= remembered_ms) return undefined;
  return admitCaller(platform, verified, now_ms, 'hit');
}

async function verifyUnknownToken(platform: Platform, authorization: string): Promise<LoggedInCaller> {
  const verified = await verifyAccessToken(platform, authorization).catch((error: unknown) => {
    if (error instanceof Refusal && error.status < 500) platform.metrics.countToken('refused');
    throw error;
  });
  verifiedTokens(platform).set(authorization, verified);
  return admitCaller(platform, verified, verified.verified_at_ms, 'miss');
}

function admitCaller(
  platform: Platform,
  { caller, expires_at_ms }: VerifiedToken,
  now_ms: number,
  outcome: 'hit' | 'miss',
): LoggedInCaller {
  const refusal =
    now_ms >= expires_at_ms ? new Refusal('token_expired') : findCallerRefusal(platform, caller);
  platform.metrics.countToken(refusal ? 'refused' : outcome);
  if (refusal) throw refusal;
  return caller;
}

/** Finds why the tokens of a caller are refused at this moment: the user or the organisation is suspended, or the session has ended. */
export function findCallerRefusal(platform: Platform, caller: LoggedInCaller): Refusal | undefined {
  const { sessions, suspended, suspended_organisations } = endedSessions(platform);
  // A suspension also ends the sessions, so it is checked first to give the more specific reason.
  if (suspended.has(caller.user_id)) return new Refusal('account_suspended');
  if ('org_id' in caller && suspended_organisations.has(caller.org_id))
    return new Refusal('organisation_suspended');
  if (sessions.has(caller.session_id))
    return new Refusal('token_invalid', { detail: 'The session of this token has ended.' });
  return undefined;
}
