import { Type, type Static } from 'typebox';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { computeEtag } from '#platform/etag.ts';
import { schemaNames, scim_path } from '../wire.ts';
import type { DirectoryGroup } from './rules.ts';
import type { GroupMember } from './store.ts';

const sample_group = '3c9a1f70-5b2e-4d86-8f14-a07d6e2b9c53';

const anything = Type.Unsafe<unknown>({});

/** The attributes of a group in a request. `group-patch.ts` reads them, because directories write them differently. */
export const groupInput = {
  displayName: field(anything, 'The name of the group.', 'Hiring managers'),
  externalId: Type.Optional(field(anything, 'The id of the group in the directory.', '00g1a2b3c4')),
  members: Type.Optional(field(anything, 'The users in the group.', [{ value: sampleIds.colleague }])),
};

/** The id of a group in the path. Text that is no id names nothing. */
export const scimGroupId = field(Type.String({ maxLength: 100 }), 'The id of the group.', sample_group);

/** What a reply leaves out. Only `members` is looked at. */
export const excludedAttributes = Type.Optional(
  field(Type.String({ maxLength: 1_000 }), 'Attributes that are left out: members, or none.', 'members'),
);

/** A group as directories see one (RFC 7643 section 4.2). */
export const scimGroupWire = closedObject(
  {
    schemas: field(Type.Array(Type.Literal(schemaNames.group)), 'The schema.', [schemaNames.group]),
    id: field(uuid, 'The id of the group.', sample_group),
    externalId: Type.Optional(field(Type.String(), 'The id of the group in the directory.', '00g1a2b3c4')),
    displayName: field(Type.String(), 'The name of the group.', 'Hiring managers'),
    members: Type.Optional(
      field(
        Type.Array(closedObject({ value: uuid, display: Type.String(), type: Type.Literal('User') })),
        'The users in the group. Lists leave them out.',
        [{ value: sampleIds.colleague, display: 'noor.haddad@example.org', type: 'User' }],
      ),
    ),
    meta: field(
      closedObject({
        resourceType: Type.Literal('Group'),
        created: timestamp,
        lastModified: timestamp,
        location: Type.String(),
        version: field(Type.String(), 'The entity tag.', '"kYd0Xx4QqVnWJ6mT1cB2rZ8sL5p"'),
      }),
      'About the resource.',
    ),
  },
  { $id: 'ScimGroup' },
);

type ScimGroup = Static<typeof scimGroupWire>;

export const scimGroupListWire = closedObject(
  {
    schemas: field(Type.Array(Type.Literal(schemaNames.list)), 'The schema.', [schemaNames.list]),
    totalResults: field(Type.Integer({ minimum: 0 }), 'How many groups there are.', 12),
    startIndex: field(Type.Integer({ minimum: 1 }), 'The place of the first group of this page, from 1.', 1),
    itemsPerPage: field(Type.Integer({ minimum: 0 }), 'How many groups this page has.', 12),
    Resources: field(Type.Array(scimGroupWire), 'The groups.'),
  },
  { $id: 'ScimGroupList' },
);

export type ScimGroupList = Static<typeof scimGroupListWire>;

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
