import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { readPatch } from '../patch.ts';
import { scimUserId, scimUserWire } from '../wire.ts';
import { changeRefusals } from './change-user.ts';
import { changeFoundUser } from './change-found-user.ts';

const operations_max = 100;

export const patchUser = operation({
  name: 'directories.patchUser',
  title: 'Change a user by a directory',
  summary:
    'Changes a user by the operations add, replace and remove. active: false ends the user’s sessions, service keys and agents.',
  who: ['org_admin'],
  input: Type.Object({
    id: scimUserId,
    Operations: field(
      Type.Array(
        closedObject({
          op: Type.String({ maxLength: 20 }),
          path: Type.Optional(Type.String({ maxLength: 300 })),
          value: Type.Optional(Type.Unsafe<unknown>({})),
        }),
        { minItems: 1, maxItems: operations_max },
      ),
      'The changes, in their order.',
      [{ op: 'replace', path: 'active', value: false }],
    ),
  }),
  output: { 200: scimUserWire },
  refuses: [...changeRefusals, 'directory_patch_refused', 'directory_path_refused'],
  run: (context, { id, Operations }) => changeFoundUser(context, id, readPatch(Operations)),
});
