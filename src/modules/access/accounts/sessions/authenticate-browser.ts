import { hashToken } from '#platform/security/hash-token.ts';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Platform } from '#platform/platform.ts';
import { judgeRefreshToken } from '../rules.ts';
import { computeRefreshSeconds } from './refresh-cookie.ts';
import { computeSessionEnd } from './session-end.ts';
import { extendRefreshToken, findRefreshToken, recordSessionUse, type LockedRefreshToken } from './store.ts';

/** A browser that is logged in, and how long its cookie lives from now. Undefined unless this request has extended the session. */
export type BrowserSession = { readonly caller: LoggedInCaller; readonly extended_s: number | undefined };

/** A session is extended at most once in this time, so that few pages write. */
const extension_seconds = 3_600;

/**
 * Authenticates a browser by the refresh token in the cookie of the console. The token stays the same, because a browser sends several
 * requests at once and would otherwise look like a thief (see `judgeRefreshToken`). Its use extends the session, and the end of the
 * session is effective at once.
 *
 * @returns undefined if the session has ended, or if its user is suspended.
 */
export async function authenticateBrowser(
  platform: Platform,
  refresh_token: string,
): Promise<BrowserSession | undefined> {
  const token_hash = hashToken(refresh_token);
  const token = await findRefreshToken(platform.database, token_hash);
  const now = platform.now();
  if (token === undefined || judgeRefreshToken(token, now) !== 'rotate') return undefined;
  const ends_at = computeSessionEnd(platform.config, token.session_created_at);
  if (ends_at <= now) return undefined;
  const caller = toCaller(token);
  if (now.getTime() - token.last_used_at.getTime() < extension_seconds * 1000)
    return { caller, extended_s: undefined };
  const extended_s = computeRefreshSeconds(platform.config, { now, ends_at });
  const expires_at = new Date(now.getTime() + extended_s * 1000);
  await platform.database.transaction(async (tx) => {
    await extendRefreshToken(tx, token_hash, expires_at);
    await recordSessionUse(tx, token.session_id, now, expires_at);
  });
  return { caller, extended_s };
}

function toCaller({ id, session_id, authenticated_at, by_mfa, role, linked_entity_id }: LockedRefreshToken) {
  const session = { user_id: id, session_id, authenticated_at };
  if (role === 'platform_admin') return { ...session, role, ...(by_mfa && { by_mfa }) } as const;
  // The database requires the member of a member, and the organisation of its users.
  if (role === 'member') return { ...session, role, member_id: linked_entity_id! };
  return { ...session, role, org_id: linked_entity_id! } as LoggedInCaller;
}
