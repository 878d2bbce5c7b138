import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, nullable, uuid } from '#platform/schema.ts';
import { lockDirectory } from '../require-directory-access.ts';
import { changeWithRoles } from './apply-roles.ts';
import { directoryGroupWire, toGroupWire } from './list-directory-groups.ts';
import { findGroup, listMembers, upsertGroup } from './store.ts';

export const setGroupRole = operation({
  name: 'directories.setGroupRole',
  title: 'Give a group of the directory a role',
  summary:
    'Decides what the members of a group may do, now and later. A user has the highest role of the groups, and is a viewer after leaving the last one that gives a role. Those whose role changes must log in again.',
  who: ['org_admin'],
  input: Type.Object({
    group_id: uuid,
    role: field(nullable(Type.Enum(orgRoles)), 'The role; null if the group decides nothing.', 'auditor'),
  }),
  output: { 200: directoryGroupWire },
  refuses: [
    'directory_group_not_found',
    'directory_group_full',
    'last_admin',
    'organisation_not_found',
    'organisation_tier_too_low',
  ],
  run: (context, { group_id: id, role }) =>
    context.transaction(async (tx) => {
      await lockDirectory(tx, context.caller);
      const { org_id } = context.caller;
      const group = requireFound(await findGroup(tx, { id, org_id }), 'directory_group_not_found');
      const members = (await listMembers(tx, id, org_id)).map((member) => member.id);
      if (group.role !== role) {
        await changeWithRoles(context, tx, members, () => upsertGroup(tx, org_id, { ...group, role }));
        const detail = { group_id: id, role_before: group.role, role };
        await recordCallerAudit(context, tx, { action: 'directories.group_role_set', org_id, detail });
      }
      return toGroupWire({ ...group, role, members: members.length });
    }),
});
