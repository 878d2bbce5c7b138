import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { passkeyResource } from './resource.ts';
import { passkeys_max } from './rules.ts';
import { listUserPasskeys } from './store.ts';

export const listPasskeys = operation({
  name: 'accounts.listPasskeys',
  summary: 'Lists the passkeys of the user who is logged in, oldest first.',
  who: roles,
  output: {
    200: closedObject({
      data: field(Type.Array(passkeyResource.wire, { maxItems: passkeys_max }), 'All passkeys of the user.'),
    }),
  },
  run: async ({ database, caller }) => ({
    data: (await listUserPasskeys(database, caller.user_id)).map(passkeyResource.toWire),
  }),
});
