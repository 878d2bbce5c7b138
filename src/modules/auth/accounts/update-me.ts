import { roles } from '#lib/caller.ts';
import { updateMemberDisplayName } from '#modules/members';
import { operation } from '#platform/operation.ts';
import { closedObject, text } from '#platform/schema.ts';
import { updateDisplayName } from '../store.ts';
import { meWire, toOwnUserWire } from '../wire.ts';
import { requireOwnUser } from './read-me.ts';

export const updateMe = operation({
  name: 'auth.updateMe',
  title: 'Change your account',
  summary: 'Changes the display name of the user who is logged in.',
  who: roles,
  input: closedObject({ display_name: text(200) }),
  output: { 200: meWire },
  refuses: [],
  run: (context, input) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const display_name = input.display_name.trim();
      if (caller.role === 'member') await updateMemberDisplayName(tx, caller.member_id, display_name);
      else await updateDisplayName(tx, caller.user_id, display_name);
      return toOwnUserWire(await requireOwnUser(tx, caller));
    }),
});
