import type { User } from './store.ts';

/** Whom the audit log's record of an account's change is about: the member, or the organisation, behind the user. */
export function buildAuditSubject({ role, linked_entity_id }: Pick<User, 'role' | 'linked_entity_id'>): {
  readonly member_id: string | null;
  readonly org_id: string | null;
} {
  const isMember = role === 'member';
  return { member_id: isMember ? linked_entity_id : null, org_id: isMember ? null : linked_entity_id };
}
