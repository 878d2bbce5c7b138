import { roles, type LoggedInCaller } from '#lib/caller.ts';
import { lockMember, updateMemberDisplayName } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, text } from '#platform/schema.ts';
import { lockUser, updateDisplayName } from '../store.ts';
import { meWire, toOwnUserWire } from '../wire.ts';
import { requireOwnUser } from './read-me.ts';

export const updateMe = operation({
  name: 'accounts.updateMe',
  title: 'Change your account',
  summary: 'Changes the display name of the user who is logged in.',
  who: roles,
  input: closedObject({ display_name: text(200) }),
  output: { 200: meWire },
  etag: true,
  run: (context, input) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const display_name = input.display_name.trim();
      await lockDisplayName(tx, caller);
      await checkIfMatch(context.request, async () => toOwnUserWire(await requireOwnUser(tx, caller)));
      if (caller.role === 'member') await updateMemberDisplayName(tx, caller.member_id, display_name);
      else await updateDisplayName(tx, caller.user_id, display_name);
      return toOwnUserWire(await requireOwnUser(tx, caller));
    }),
});

/** Locks the row that has the caller's display name. */
async function lockDisplayName(tx: Transaction, caller: LoggedInCaller): Promise<void> {
  if (caller.role === 'member') await lockMember(tx, caller.member_id);
  else await lockUser(tx, caller.user_id);
}
