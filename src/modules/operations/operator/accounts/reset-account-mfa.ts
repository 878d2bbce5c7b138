import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { resetMfaById } from '#modules/access/accounts';

export const resetAccountMfa = operation({
  name: 'operator.resetAccountMfa',
  title: 'Reset MFA of a user',
  summary:
    'Disables MFA of a user who has lost phone and recovery codes, and emails the user. First make sure that it is really this user who asks.',
  who: ['platform_admin'],
  input: closedObject({ user_id: uuid }),
  output: {
    200: closedObject({
      user_id: uuid,
      mfa_enabled: field(Type.Boolean(), 'Whether a login needs a code now.', false),
    }),
  },
  refuses: ['user_not_found', 'mfa_not_enabled'],
  run: (context, { user_id }) =>
    context.transaction((tx) => resetMfaById(context, tx, { user_id, actor: context.caller })),
});
