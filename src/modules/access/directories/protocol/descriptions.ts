import { Refusal } from '#lib/refusal.ts';
import { schemaNames, scim_path } from '../wire.ts';
import { writeScimPage } from '../write-scim-page.ts';

type Attribute = Readonly<Record<string, unknown>>;

const describeAttribute = (name: string, description: string, more: Attribute = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const userSchema = {
  schemas: [schemaNames.schema],
  id: schemaNames.user,
  name: 'User',
  description: 'A user of the organisation.',
  attributes: [
    describeAttribute('userName', 'The email address of the account.', {
      required: true,
      uniqueness: 'server',
    }),
    describeAttribute('displayName', 'The name that others see.'),
    describeAttribute('name', 'The name. It is stored whole, and returned as formatted.', {
      type: 'complex',
      subAttributes: [
        describeAttribute('formatted', 'The name.'),
        describeAttribute('givenName', 'A part of the name, if there is no whole one.', {
          returned: 'never',
        }),
        describeAttribute('familyName', 'A part of the name, if there is no whole one.', {
          returned: 'never',
        }),
      ],
    }),
    describeAttribute('active', 'Whether the user can log in.', { type: 'boolean' }),
    describeAttribute('emails', 'The email address of the account: its userName.', {
      type: 'complex',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [describeAttribute('value', 'The address.', { mutability: 'readOnly' })],
    }),
    describeAttribute('roles', 'What the user may do. Administrators are appointed by administrators.', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        describeAttribute('value', 'The role.', {
          canonicalValues: ['org_viewer', 'auditor'],
          caseExact: true,
        }),
      ],
    }),
  ],
  meta: { resourceType: 'Schema', location: `${scim_path}/Schemas/${schemaNames.user}` },
};

const groupSchema = {
  schemas: [schemaNames.schema],
  id: schemaNames.group,
  name: 'Group',
  description: 'A group of users. An administrator of the organisation may give its members a role.',
  attributes: [
    describeAttribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    describeAttribute('members', 'The users in the group. Lists leave them out.', {
      type: 'complex',
      multiValued: true,
      returned: 'request',
      subAttributes: [
        describeAttribute('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
        describeAttribute('display', 'The email address of the user.', { mutability: 'readOnly' }),
        describeAttribute('type', 'User.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    }),
  ],
  meta: { resourceType: 'Schema', location: `${scim_path}/Schemas/${schemaNames.group}` },
};

const groupType = {
  schemas: [schemaNames.resourceType],
  id: 'Group',
  name: 'Group',
  endpoint: '/Groups',
  description: 'The groups of the directory.',
  schema: schemaNames.group,
  meta: { resourceType: 'ResourceType', location: `${scim_path}/ResourceTypes/Group` },
};

const userType = {
  schemas: [schemaNames.resourceType],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'The users of the organisation.',
  schema: schemaNames.user,
  meta: { resourceType: 'ResourceType', location: `${scim_path}/ResourceTypes/User` },
};

const unsupported = { supported: false };

const provider = {
  schemas: [schemaNames.provider],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: unsupported,
  sort: unsupported,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Service key',
      description: 'A service key of the organisation with the permission SCIM /scim/v2, as a bearer token.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${scim_path}/ServiceProviderConfig` },
};

type Description = { readonly id?: string; readonly meta: { readonly location: string } };

/** What this service says about itself (RFC 7644 section 4), by the last part of the path. It is the same for everybody, and needs no key. */
export const descriptions: Readonly<Record<string, Description | readonly Description[]>> = {
  ServiceProviderConfig: provider,
  ResourceTypes: [userType, groupType],
  Schemas: [userSchema, groupSchema],
};

/** Finds a description, or the list of its kind. @throws Refusal `route_not_found`. */
export function findDescription(name: string, id: string | undefined, publicUrl: string): object {
  const described = descriptions[name]!;
  const all = [described].flat().map((each) => ({
    ...each,
    meta: { ...each.meta, location: publicUrl + each.meta.location },
  }));
  if (id === undefined)
    return Array.isArray(described) ? writeScimPage(all, { total: all.length, start: 1 }) : all[0]!;
  const found = all.find((each) => each.id === id);
  if (!found) throw new Refusal('route_not_found');
  return found;
}
