import { Type } from 'typebox';
import { operation, reply } from '#platform/operation.ts';
import { clearedRefreshCookie, readRefreshTokenHash, requireOwnOrigin } from './refresh-cookie.ts';
import { lockRefreshToken, revokeSession } from './store.ts';
import { recordRevokedSession } from './watch-sessions.ts';

export const logOut = operation({
  name: 'accounts.logOut',
  summary:
    'Ends the session of the refresh cookie, and the session of the access token if one is sent. Succeeds without either.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 204: null },
  refuses: ['origin_not_allowed'],
  cookies: { reads: 'refresh_token', sets: ['refresh_token'] },
  run: async (context) => {
    const { caller, request } = context;
    const now = context.now();
    const token_hash = readRefreshTokenHash(request);
    // Any site may send an access token that its user gave to it, and browsers send none on their own.
    if (token_hash || caller.role === 'anonymous') requireOwnOrigin(context.config, request);
    await context.transaction(async (tx) => {
      const token = token_hash && (await lockRefreshToken(tx, token_hash));
      const sessions = new Set<string>();
      if (token) sessions.add(token.session_id);
      if (caller.role !== 'anonymous') sessions.add(caller.session_id);
      for (const id of [...sessions].sort()) {
        await revokeSession(tx, id, now);
        tx.afterCommit(() => recordRevokedSession(context, id, now));
      }
    });
    return reply(204, null, [clearedRefreshCookie]);
  },
});
