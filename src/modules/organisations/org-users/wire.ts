import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import type { OrgUser } from './rules.ts';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** A user or an open invitation of an organisation. */
export const orgUserWire = closedObject(
  {
    id: field(uuid, 'The id of the user or the invitation.', sampleIds.colleague),
    email: field(Type.String(), 'The email address.', 'noor.haddad@example.org'),
    display_name: field(
      nullable(Type.String()),
      'The name that others see; null for an invitation.',
      'Noor Haddad',
    ),
    role: field(Type.Enum(orgRoles), 'What the user may do.', 'org_viewer'),
    status: field(
      Type.Enum(['active', 'invited', 'suspended']),
      'Whether this is a user or an open invitation.',
      'active',
    ),
    created_at: timestamp,
    last_login: field(
      nullable(timestamp),
      'When the user last logged in; null for an invitation.',
      '2026-03-09T07:45:00.000Z',
    ),
    expires_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      pattern: 'Z$',
      description: 'When the invitation expires; null for a user.',
      examples: [null],
    }),
  },
  { $id: 'OrganisationUser' },
);

export function toWire(user: OrgUser) {
  return toReply(orgUserWire, user);
}
