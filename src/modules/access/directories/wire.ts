import { Type, type Static, type TSchema } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** The names of the schemas (RFC 7643 section 8.7, RFC 7644 section 8.2). */
export const schemaNames = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  provider: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const;

/** Below the public URL. */
export const scim_path = '/scim/v2';

/** The permission of a service key that opens all of it. */
export const scim_permission = `SCIM ${scim_path}`;

const describeSchemas = (name: string) =>
  field(Type.Array(Type.Literal(name)), 'The schema of the resource.', [name]);

const sampleVersion = '"kYd0Xx4QqVnWJ6mT1cB2rZ8sL5p"';

/** What a resource says about itself (RFC 7643 section 3.1). */
function describeMeta<Name extends 'User' | 'Group'>(resourceType: Name) {
  const meta = closedObject({
    resourceType: Type.Literal(resourceType),
    created: timestamp,
    lastModified: timestamp,
    location: Type.String(),
    version: field(Type.String(), 'The entity tag.', sampleVersion),
  });
  return field(meta, 'About the resource.');
}

/** A page of resources (RFC 7644 section 3.4.2). */
function describeList<Resource extends TSchema>($id: string, things: string, resource: Resource) {
  return closedObject(
    {
      schemas: describeSchemas(schemaNames.list),
      totalResults: field(Type.Integer({ minimum: 0 }), `How many ${things} there are.`, 214),
      startIndex: field(Type.Integer({ minimum: 1 }), 'The place of the first one of this page, from 1.', 1),
      itemsPerPage: field(Type.Integer({ minimum: 0 }), `How many ${things} this page has.`, 100),
      Resources: field(Type.Array(resource), `The ${things}.`),
    },
    { $id },
  );
}

/** A user as directories see one (RFC 7643 section 4.1). */
export const scimUserWire = closedObject(
  {
    schemas: describeSchemas(schemaNames.user),
    id: field(uuid, 'The id of the user.', sampleIds.colleague),
    externalId: Type.Optional(field(Type.String(), 'The id of the user in the directory.', '00u1a2b3c4')),
    userName: field(Type.String(), 'The email address of the account.', 'noor.haddad@example.org'),
    displayName: Type.Optional(field(Type.String(), 'The name that others see.', 'Noor Haddad')),
    name: Type.Optional(
      field(closedObject({ formatted: Type.String() }), 'The name.', { formatted: 'Noor Haddad' }),
    ),
    emails: field(
      Type.Array(
        closedObject({ value: Type.String(), type: Type.Literal('work'), primary: Type.Literal(true) }),
      ),
      'The email address of the account.',
      [{ value: 'noor.haddad@example.org', type: 'work', primary: true }],
    ),
    active: field(Type.Boolean(), 'Whether the user can log in.', true),
    roles: field(
      Type.Array(closedObject({ value: Type.Enum(orgRoles), primary: Type.Literal(true) })),
      'What the user may do.',
      [{ value: 'org_viewer', primary: true }],
    ),
    meta: describeMeta('User'),
  },
  { $id: 'ScimUser' },
);

export type ScimUser = Static<typeof scimUserWire>;

export const scimListWire = describeList('ScimList', 'users', scimUserWire);

/** Any attributes: those that are not stored are ignored, as directories send what they have. */
const anything = Type.Unsafe<unknown>({});

/** The attributes of a user in a request. `patch.ts` reads them, because directories write them differently. */
export const attributesInput = {
  externalId: Type.Optional(field(anything, 'The id of the user in the directory.', '00u1a2b3c4')),
  displayName: Type.Optional(field(anything, 'The name that others see.', 'Noor Haddad')),
  name: Type.Optional(
    field(anything, 'The name, whole or in parts.', { givenName: 'Noor', familyName: 'Haddad' }),
  ),
  active: Type.Optional(field(anything, 'Whether the user can log in.', true)),
  roles: Type.Optional(field(anything, 'The role: org_viewer or auditor.', [{ value: 'auditor' }])),
};

export const userNameInput = field(
  Type.String({ minLength: 3, maxLength: 254 }),
  'The email address of the account.',
  'noor.haddad@example.org',
);

/** The operations of a PATCH. */
export const patchOperations = field(
  Type.Array(
    closedObject({
      op: Type.String({ maxLength: 20 }),
      path: Type.Optional(Type.String({ maxLength: 300 })),
      value: Type.Optional(Type.Unsafe<unknown>({})),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  'The changes, in their order.',
  [{ op: 'replace', path: 'active', value: false }],
);

/** The id of a user in the path. Text that is no id names nobody. */
export const scimUserId = field(Type.String({ maxLength: 100 }), 'The id of the user.', sampleIds.colleague);

const sample_group = '3c9a1f70-5b2e-4d86-8f14-a07d6e2b9c53';

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
    schemas: describeSchemas(schemaNames.group),
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
    meta: describeMeta('Group'),
  },
  { $id: 'ScimGroup' },
);

export type ScimGroup = Static<typeof scimGroupWire>;

export const scimGroupListWire = describeList('ScimGroupList', 'groups', scimGroupWire);
