import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { nameGrants } from '../name-clients.ts';
import { countOpenGrants, listOpenGrants, type GrantPlace } from './store.ts';
import { grantWire, toGrantWire } from './wire.ts';

export const listGrants = operation({
  name: 'agents.listGrants',
  title: 'List connected agents',
  summary: 'Lists the agents that the user has connected, and what each may do, newest first.',
  who: roles,
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(grantWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller } = context;
    const { user_id } = caller;
    const open = { user_id, now: context.now() };
    return readPage(
      context,
      { name: 'agents.listGrants', filter: { user_id }, limit, cursor },
      {
        list: async (after: GrantPlace | undefined, rows_max) =>
          nameGrants(context, database, await listOpenGrants(database, open, after, rows_max)),
        count: () => countOpenGrants(database, open),
        getPlace: ({ created_at, id }): GrantPlace => [created_at.toISOString(), id],
        toItem: toGrantWire,
      },
    );
  },
});
