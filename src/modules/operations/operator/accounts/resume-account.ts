import { operation } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { changeUserSuspension } from '#modules/access/accounts';
import { suspensionWire } from './wire.ts';

export const resumeAccount = operation({
  name: 'operator.resumeAccount',
  title: 'Lift a suspension',
  summary: 'Lets a suspended user log in again. The sessions from before stay ended.',
  who: ['platform_admin'],
  input: closedObject({ user_id: uuid }),
  output: { 200: suspensionWire },
  refuses: ['user_not_found', 'account_pending_deletion'],
  run: (context, { user_id }) =>
    context.transaction((tx) =>
      changeUserSuspension(context, tx, { user_id, suspended: false, actor: context.caller }),
    ),
});
