import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation, reply } from '#platform/operation.ts';
import { lockDirectory } from '../require-directory-access.ts';
import { changeGroup } from './change-group.ts';
import { readGroup } from './group-patch.ts';
import { directory_groups_max } from './rules.ts';
import { countGroups, listMembers, upsertGroup } from './store.ts';
import { groupInput, scimGroupWire } from '../wire.ts';
import { writeScimGroup } from './write-scim-group.ts';

export const createGroup = operation({
  name: 'directories.createGroup',
  title: 'Create a group by a directory',
  summary:
    'Creates a group of users. It gives no role before an administrator gives it one. An organisation has at most 200 groups.',
  who: ['org_admin'],
  input: Type.Object(groupInput),
  output: { 201: scimGroupWire },
  refuses: [
    'organisation_not_found',
    'organisation_tier_too_low',
    'directory_group_limit_reached',
    'directory_group_full',
    'directory_user_exists',
  ],
  run: (context, input) => {
    const { display_name = '', external_id = null, members } = readGroup(input);
    return context.transaction(async (tx) => {
      await lockDirectory(tx, context.caller);
      const { org_id } = context.caller;
      if ((await countGroups(tx, { org_id, filter: {} })) >= directory_groups_max)
        throw new Refusal('directory_group_limit_reached');
      const now = context.now();
      const id = randomUUID();
      const times = { created_at: now, changed_at: now };
      const created = { id, display_name, external_id, role: null, version: 1, ...times };
      await upsertGroup(tx, org_id, created);
      const detail = { group_id: id };
      await recordCallerAudit(context, tx, { action: 'directories.group_created', org_id, detail });
      const group = await changeGroup(context, tx, created, members ? { members } : {});
      return reply(201, writeScimGroup(group, context.config.publicUrl, await listMembers(tx, id, org_id)));
    });
  },
});
