import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { sessionWire, toSessionWire } from '../wire.ts';
import { countOpenSessions, listOpenSessions, type SessionPlace } from './store.ts';

export const listSessions = operation({
  name: 'accounts.listSessions',
  summary: 'Lists the devices on which the user is logged in, newest login first.',
  who: roles,
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(sessionWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { user_id, session_id } = caller;
    const open = { user_id, now: context.now() };
    return readPage(
      context,
      { name: 'accounts.listSessions', filter: { user_id }, limit, cursor },
      {
        list: (after: SessionPlace | undefined, rows_max) =>
          listOpenSessions(database, open, after, rows_max),
        count: () => countOpenSessions(database, open),
        getPlace: ({ created_at, id }): SessionPlace => [created_at.toISOString(), id],
        toItem: (session) => toSessionWire(session, session_id),
      },
    );
  },
});
