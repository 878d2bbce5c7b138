import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { findNamedUser, type NamedUser } from '../store.ts';
import { meWire, toOwnUserWire } from '../wire.ts';

export const readMe = operation({
  name: 'auth.readMe',
  summary: 'Returns the user who is signed in.',
  who: roles,
  input: Type.Object({}),
  output: { 200: meWire },
  refuses: [],
  run: async ({ database, caller }) => toOwnUserWire(await requireOwnUser(database, caller.user_id)),
});

/** The user with an id and their display name. @throws Refusal `token_invalid`. */
export async function requireOwnUser(db: Reader, user_id: string): Promise<NamedUser> {
  const user = await findNamedUser(db, user_id);
  if (!user) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  return user;
}
