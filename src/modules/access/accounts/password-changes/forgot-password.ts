import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { toCanonicalEmail } from '../rules.ts';
import { emailInput } from '../wire.ts';
import { sealEmail, sendPasswordReset } from './send-password-reset.ts';

export const forgotPassword = operation({
  name: 'accounts.forgotPassword',
  title: 'Request a password reset',
  summary:
    'Emails a link to choose a new password if the address has an account, at most five times an hour. The reply is the same in both cases.',
  who: 'anyone',
  input: closedObject({ email: emailInput }),
  output: { 200: closedObject({ message: Type.String() }) },
  // The task checks whether the account exists, so that neither the reply nor its timing depends on it.
  run: (context, { email }) =>
    context.transaction(async (tx) => {
      const email_sealed = sealEmail(context, toCanonicalEmail(email));
      await context.queue.send(tx, sendPasswordReset, { email_sealed, mailed_token_id: randomUUID() });
      return {
        message: 'If the address has an account, a link to choose a new password is emailed to it.',
      };
    }),
});
