import { Refusal } from '#lib/refusal.ts';
import { isOrgRole } from '#lib/caller.ts';
import { findMember } from '#modules/people/members';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { User } from '../store.ts';

/** Creates the refusal for a suspended account, which says whether it is marked for deletion. Only for those who have proven that it is theirs. */
export async function createClosedAccountRefusal(
  db: Reader,
  { role, linked_entity_id }: Pick<User, 'role' | 'linked_entity_id'>,
): Promise<Refusal> {
  const member = role === 'member' && linked_entity_id ? await findMember(db, linked_entity_id) : undefined;
  return new Refusal(
    member?.account_status === 'pending_deletion' ? 'account_pending_deletion' : 'account_suspended',
  );
}

/** Says whether the operator has suspended the organisation for which a user acts. */
export async function hasSuspendedOrganisation(
  db: Reader,
  { role, linked_entity_id }: Pick<User, 'role' | 'linked_entity_id'>,
): Promise<boolean> {
  return isOrgRole(role) && linked_entity_id !== null && isSuspendedOrganisation(db, linked_entity_id);
}
