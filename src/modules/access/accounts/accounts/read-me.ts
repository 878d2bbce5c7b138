import { roles, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { findNamedUser, type NamedUser } from '../store.ts';
import { meWire, toOwnUserWire } from '../wire.ts';

export const readMe = operation({
  name: 'accounts.readMe',
  title: 'Read your account',
  summary: 'Returns the user who is logged in.',
  who: roles,
  output: { 200: meWire },
  etag: true,
  run: async ({ database, caller }) => toOwnUserWire(await requireOwnUser(database, caller)),
});

/** The caller's user with their display name. @throws Refusal `token_invalid`. */
export async function requireOwnUser(db: Reader, caller: LoggedInCaller): Promise<NamedUser> {
  const member_id = caller.role === 'member' ? caller.member_id : null;
  const user = await findNamedUser(db, { id: caller.user_id, member_id });
  if (!user) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  return user;
}
