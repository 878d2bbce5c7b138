import { Type, type Static } from 'typebox';
import { orgRoles, type OrgRole } from '#lib/caller.ts';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';

/** A user or an open invitation of an organisation. */
export const orgUserWire = closedObject(
  {
    id: uuid,
    email: Type.String(),
    display_name: nullable(Type.String()),
    role: Type.Enum(orgRoles),
    status: Type.Enum(['active', 'invited', 'suspended']),
    created_at: timestamp,
    last_login: nullable(timestamp),
    expires_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      pattern: 'Z$',
      description: 'When the invitation expires; null for a user.',
    }),
  },
  { $id: 'OrganisationUser' },
);

type ListedUser = {
  readonly id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly role: OrgRole;
  readonly status: 'active' | 'invited' | 'suspended';
  readonly created_at: Date;
  readonly last_login: Date | null;
  readonly expires_at: Date | null;
};

export function toWire({
  created_at,
  last_login,
  expires_at,
  ...user
}: ListedUser): Static<typeof orgUserWire> {
  const { id, email, display_name, role, status } = user;
  return {
    id,
    email,
    display_name,
    role,
    status,
    created_at: created_at.toISOString(),
    last_login: last_login?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  };
}
