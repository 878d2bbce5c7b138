import type { Reader } from '#platform/database/database.ts';
import { unnamedMember } from '#modules/people/members';
import { findNamedUser, findUser } from './store.ts';

/**
 * Finds the name by which an email greets a user; undefined for a user without one, and for an unverified address: the one who registered it has chosen the
 * name, and the mailbox may be a stranger's.
 */
export async function findGreetingName(db: Reader, user_id: string): Promise<string | undefined> {
  const user = await findUser(db, user_id);
  if (!user) return undefined;
  const member_id = user.role === 'member' ? user.linked_entity_id : null;
  const named = await findNamedUser(db, { id: user_id, member_id });
  const name = named?.email_verified ? named.display_name : null;
  return name === null || name === unnamedMember ? undefined : name;
}
