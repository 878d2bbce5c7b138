import { LRUCache } from 'lru-cache';
import type { SignedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { endedSessions } from './watch-sessions.ts';
import { verifyAccessToken, type VerifiedToken } from './verify-access-token.ts';

const remembered_max = 10_000;
/** Bounds what a key that is taken away while a token is being verified can still do. */
const remembered_ms = 60_000;

/** Genuine tokens by the header that brought them: checking a signature costs some hundred times as much as this look. */
const verifiedTokens = instanceMemory((platform) => {
  const tokens = new LRUCache<string, VerifiedToken>({ max: remembered_max });
  platform.keys.onChange(() => tokens.clear());
  return tokens;
});

/**
 * Who sends this Authorization header. A token that was verified within the last minute is answered without waiting, and without the
 * database; expiry and revocation are looked at every time.
 *
 * @throws Refusal `token_invalid`, `token_expired`, or `account_suspended`.
 */
export function authenticateCaller(
  platform: Platform,
  authorization: string,
): SignedInCaller | Promise<SignedInCaller> {
  const now_ms = platform.now().getTime();
  const known = verifiedTokens(platform).get(authorization);
  if (known !== undefined && Math.abs(now_ms - known.verified_at_ms) < remembered_ms) {
    platform.metrics.countToken('hit');
    return admitCaller(platform, known, now_ms);
  }
  platform.metrics.countToken('miss');
  return verifyUnknownToken(platform, authorization);
}

async function verifyUnknownToken(platform: Platform, authorization: string): Promise<SignedInCaller> {
  const verified = await verifyAccessToken(platform, authorization);
  verifiedTokens(platform).set(authorization, verified);
  return admitCaller(platform, verified, verified.verified_at_ms);
}

function admitCaller(
  platform: Platform,
  { caller, expires_at_ms }: VerifiedToken,
  now_ms: number,
): SignedInCaller {
  if (now_ms >= expires_at_ms) throw new Refusal('token_expired');
  const { sessions, suspended } = endedSessions(platform);
  // A suspension ends the sessions as well, and says more.
  if (suspended.has(caller.user_id)) throw new Refusal('account_suspended');
  if (sessions.has(caller.session_id))
    throw new Refusal('token_invalid', { detail: 'The session of this token has ended.' });
  return caller;
}
