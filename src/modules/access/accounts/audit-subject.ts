import type { User } from './store.ts';

/** Builds the fields of an audit entry that name the member or the organisation of a user. */
export function buildAuditSubject({ role, linked_entity_id }: Pick<User, 'role' | 'linked_entity_id'>): {
  readonly member_id: string | null;
  readonly org_id: string | null;
} {
  const isMember = role === 'member';
  return { member_id: isMember ? linked_entity_id : null, org_id: isMember ? null : linked_entity_id };
}
