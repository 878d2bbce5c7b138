import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { changeWithRoles } from './apply-roles.ts';
import { groupRefusals, lockGroup } from './change-group.ts';
import { deleteGroup, listMembers } from './store.ts';
import { scimGroupId } from '../wire.ts';

export const removeGroup = operation({
  name: 'directories.removeGroup',
  title: 'Remove a group by a directory',
  summary: 'Removes a group. Its members keep what their other groups give them, and are viewers otherwise.',
  who: ['org_admin'],
  input: Type.Object({ id: scimGroupId }),
  output: { 204: null },
  refuses: groupRefusals,
  run: (context, { id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const group = await lockGroup(context, tx, id);
      const members = group.role === null ? [] : await listMembers(tx, group.id, org_id);
      const ids = members.map((member) => member.id);
      await changeWithRoles(context, tx, ids, () => deleteGroup(tx, group.id));
      const detail = { group_id: group.id };
      await recordCallerAudit(context, tx, { action: 'directories.group_removed', org_id, detail });
      return null;
    }),
});
