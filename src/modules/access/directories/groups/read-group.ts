import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { requireDirectoryAccess } from '../require-directory-access.ts';
import { findGroup, listMembers } from './store.ts';
import { excludedAttributes, scimGroupId, scimGroupWire } from '../wire.ts';
import { writeScimGroup } from './write-scim-group.ts';

export const readGroup = operation({
  name: 'directories.readGroup',
  title: 'Read a group by a directory',
  summary: 'Reads a group with its members, unless excludedAttributes names them.',
  who: ['org_admin'],
  input: Type.Object({ id: scimGroupId, excludedAttributes }),
  output: { 200: scimGroupWire },
  refuses: ['directory_group_not_found', 'organisation_not_found', 'organisation_tier_too_low'],
  run: async ({ database, caller, config }, { id, excludedAttributes: excluded = '' }) => {
    await requireDirectoryAccess(database, caller);
    const { org_id } = caller;
    const group = requireFound(await findGroup(database, { id, org_id }), 'directory_group_not_found');
    const isShort = excluded
      .toLowerCase()
      .split(',')
      .some((name) => name.trim() === 'members');
    const members = isShort ? undefined : await listMembers(database, id, org_id);
    return writeScimGroup(group, config.publicUrl, members);
  },
});
