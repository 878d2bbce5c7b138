import type { Reader } from '#platform/database/database.ts';
import { unnamedMember } from './rules.ts';
import { findNamedUser, findUser } from './store.ts';

/** Finds the name by which an email greets a user; undefined for a user without one. */
export async function findGreetingName(db: Reader, user_id: string): Promise<string | undefined> {
  const user = await findUser(db, user_id);
  if (!user) return undefined;
  const member_id = user.role === 'member' ? user.linked_entity_id : null;
  const name = (await findNamedUser(db, { id: user_id, member_id }))?.display_name ?? undefined;
  return name === unnamedMember ? undefined : name;
}
