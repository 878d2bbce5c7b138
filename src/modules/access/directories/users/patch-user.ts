import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { readPatch } from '../patch.ts';
import { patchOperations, scimUserId, scimUserWire } from '../wire.ts';
import { changeRefusals } from './change-user.ts';
import { changeFoundUser } from './change-found-user.ts';

export const patchUser = operation({
  name: 'directories.patchUser',
  title: 'Change a user by a directory',
  summary:
    'Changes a user by the operations add, replace and remove. active: false ends the user’s sessions, service keys and agents.',
  who: ['org_admin'],
  input: Type.Object({
    id: scimUserId,
    Operations: patchOperations,
  }),
  output: { 200: scimUserWire },
  refuses: [...changeRefusals, 'directory_patch_refused', 'directory_path_refused'],
  run: (context, { id, Operations }) => changeFoundUser(context, id, readPatch(Operations)),
});
