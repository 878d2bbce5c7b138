import { computeEtag } from '#platform/etag.ts';
import { schemaNames, scim_path, type ScimGroup } from '../wire.ts';
import type { DirectoryGroup } from './rules.ts';
import type { GroupMember } from './store.ts';

/** Writes a group, with its members if they are given. The version changes with everything that the directory has changed. */
export function writeScimGroup(
  group: DirectoryGroup,
  publicUrl: string,
  members?: readonly GroupMember[],
): ScimGroup {
  const { id, display_name, external_id, version, created_at, changed_at } = group;
  return {
    schemas: [schemaNames.group],
    id,
    ...(external_id !== null && { externalId: external_id }),
    displayName: display_name,
    ...(members && {
      members: members.map(({ id: value, email: display }) => ({ value, display, type: 'User' as const })),
    }),
    meta: {
      resourceType: 'Group',
      created: created_at.toISOString(),
      lastModified: changed_at.toISOString(),
      location: `${publicUrl}${scim_path}/Groups/${id}`,
      version: computeEtag(`${id} ${version}`),
    },
  };
}
