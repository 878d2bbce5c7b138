import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { changeUserSuspension } from '#modules/access/accounts';
import { suspensionWire } from './wire.ts';

export const suspendAccount = operation({
  name: 'operator.suspendAccount',
  title: 'Suspend a user',
  summary:
    'Suspends an account: its user is logged out everywhere at once and cannot log in, and a member is no longer matched. The only platform administrator cannot be suspended.',
  who: ['platform_admin'],
  input: closedObject({ user_id: uuid }),
  output: { 200: suspensionWire },
  refuses: ['user_not_found', 'last_platform_admin', 'account_pending_deletion'],
  run: (context, { user_id }) =>
    context.transaction((tx) =>
      changeUserSuspension(context, tx, { user_id, suspended: true, actor: context.caller }),
    ),
});
