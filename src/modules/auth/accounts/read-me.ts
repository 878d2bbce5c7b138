import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { findUser } from '../store.ts';
import { toWire, userWire } from '../wire.ts';

export const readMe = operation({
  name: 'auth.readMe',
  summary: 'Returns the user who is signed in.',
  who: roles,
  input: Type.Object({}),
  output: { 200: userWire },
  refuses: [],
  run: async ({ database, caller }) => {
    const user = await findUser(database, caller.user_id);
    if (!user) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
    return toWire(user);
  },
});
