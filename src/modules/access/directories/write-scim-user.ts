import { computeEtag } from '#platform/etag.ts';
import { isActive, type DirectoryUser } from './rules.ts';
import { schemaNames, scim_path, type ScimUser } from './wire.ts';

/** Writes a user. The version changes with everything that the representation says, and with nothing else. */
export function writeScimUser(user: DirectoryUser, publicUrl: string): ScimUser {
  const { id, email, display_name, external_id, role, created_at, changed_at } = user;
  const content = {
    schemas: [schemaNames.user],
    id,
    ...(external_id !== null && { externalId: external_id }),
    userName: email,
    ...(display_name !== null && { displayName: display_name, name: { formatted: display_name } }),
    emails: [{ value: email, type: 'work' as const, primary: true as const }],
    active: isActive(user),
    roles: [{ value: role, primary: true as const }],
  };
  return {
    ...content,
    meta: {
      resourceType: 'User',
      created: created_at.toISOString(),
      lastModified: (changed_at ?? created_at).toISOString(),
      location: `${publicUrl}${scim_path}/Users/${id}`,
      version: computeEtag(JSON.stringify(content)),
    },
  };
}
