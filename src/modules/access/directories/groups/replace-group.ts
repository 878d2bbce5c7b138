import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { changeGroup, groupRefusals, lockGroup } from './change-group.ts';
import { readGroup } from './group-patch.ts';
import { listMembers } from './store.ts';
import { groupInput, scimGroupId, scimGroupWire } from '../wire.ts';
import { writeScimGroup } from './write-scim-group.ts';

export const replaceGroup = operation({
  name: 'directories.replaceGroup',
  title: 'Replace a group by a directory',
  summary: 'Replaces what the directory says about a group. Members stay if none are named.',
  who: ['org_admin'],
  input: Type.Object({ id: scimGroupId, ...groupInput }),
  output: { 200: scimGroupWire },
  refuses: groupRefusals,
  run: (context, { id, ...attributes }) => {
    const change = readGroup(attributes);
    return context.transaction(async (tx) => {
      const group = await changeGroup(context, tx, await lockGroup(context, tx, id), change);
      const members = await listMembers(tx, id, context.caller.org_id);
      return writeScimGroup(group, context.config.publicUrl, members);
    });
  },
});
