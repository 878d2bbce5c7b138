import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { toCanonicalEmail } from '../rules.ts';
import { sealEmail, sendPasswordReset } from './send-password-reset.ts';
import { emailInput } from '../wire.ts';

export const forgotPassword = operation({
  name: 'auth.forgotPassword',
  summary:
    'Mails a link to choose another password, where the address has an account; the answer is the same either way. At most five links an hour.',
  who: 'anyone',
  input: Type.Object({ email: emailInput }, { additionalProperties: false }),
  output: { 200: Type.Object({ message: Type.String() }, { additionalProperties: false }) },
  refuses: [],
  // Whether there is an account is looked up by the task: here, nothing that happens depends on it, and no time tells.
  run: (context, { email }) =>
    context.transaction(async (tx) => {
      const email_sealed = sealEmail(context, toCanonicalEmail(email));
      await context.queue.send(tx, sendPasswordReset, { email_sealed, mailed_token_id: randomUUID() });
      return {
        message: 'If the address has an account, a link to choose another password is on its way to it.',
      };
    }),
});
