import { Type } from 'typebox';
import { operation, reply } from '#platform/operation.ts';
import { clearedRefreshCookie, readRefreshTokenHash } from './refresh-cookie.ts';
import { lockRefreshToken, updateSessionRevoked } from './store.ts';
import { recordRevokedSession } from './watch-sessions.ts';

export const logOut = operation({
  name: 'auth.logOut',
  summary:
    'Ends the session of the refresh cookie, and the session of the access token if one is sent. Succeeds without either.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 204: null },
  refuses: [],
  run: async (context) => {
    const { caller, request } = context;
    const now = context.now();
    const token_hash = readRefreshTokenHash(request);
    await context.transaction(async (tx) => {
      const token = token_hash && (await lockRefreshToken(tx, token_hash));
      const sessions = new Set<string>();
      if (token) sessions.add(token.session_id);
      if (caller.role !== 'anonymous') sessions.add(caller.session_id);
      for (const id of [...sessions].sort()) {
        await updateSessionRevoked(tx, id, now);
        tx.afterCommit(() => recordRevokedSession(context, id, now));
      }
    });
    return reply(204, null, [clearedRefreshCookie]);
  },
});
