import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { countOpenSessions, listOpenSessions, type SessionPlace } from './store.ts';
import { sessionWire, toSessionWire } from '../wire.ts';

export const listSessions = operation({
  name: 'auth.listSessions',
  summary: 'The devices that the user is signed in on, the newest login first.',
  who: roles,
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(sessionWire) },
  refuses: ['cursor_invalid'],
  run: async ({ database, caller, secrets, now }, { limit, cursor }) => {
    const { user_id, session_id } = caller;
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('auth.listSessions', { user_id });
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as SessionPlace);
    const open = { user_id, now: now() };
    const [sessions, total_count] = await Promise.all([
      listOpenSessions(database, open, after, limit + 1),
      countOpenSessions(database, open),
    ]);
    const rows = sessions.map((session) => toSessionWire(session, session_id));
    const encodeRowCursor = ({ created_at, id }: { created_at: string; id: string }) =>
      encodeCursor(key, scope, [created_at, id]);
    return buildPage({ rows, limit, total_count, next: encodeRowCursor });
  },
});
