import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { patchOperations, scimGroupId } from '../wire.ts';
import { changeGroup, groupRefusals, lockGroup } from './change-group.ts';
import { readGroupPatch } from './group-patch.ts';

export const patchGroup = operation({
  name: 'directories.patchGroup',
  title: 'Change a group by a directory',
  summary:
    'Adds and removes members of a group, or renames it. Members get the highest role of their groups at once.',
  who: ['org_admin'],
  input: Type.Object({ id: scimGroupId, Operations: patchOperations }),
  output: { 204: null },
  refuses: [...groupRefusals, 'directory_patch_refused', 'directory_path_refused'],
  run: (context, { id, Operations }) => {
    const change = readGroupPatch(Operations);
    return context.transaction(async (tx) => {
      await changeGroup(context, tx, await lockGroup(context, tx, id), change);
      return null;
    });
  },
});
