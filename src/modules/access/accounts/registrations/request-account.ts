import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { checkNewOrganisationName, checkRequiredName } from '../accounts/new-account.ts';
import { runLimitedMail } from '../guess-limits.ts';
import { toCanonicalEmail } from '../rules.ts';
import { emailInput, newAccountFields } from '../wire.ts';
import { sealRegistration } from './sealed-registration.ts';
import { sendAccountLink } from './send-account-link.ts';

export const requestAccount = operation({
  name: 'accounts.requestAccount',
  title: 'Request an account by email',
  summary:
    'Emails a link that opens an account. The reply is the same whether the address has an account or not; if it has one, the email says so instead. Nothing is stored until the link is used.',
  who: 'anyone',
  input: closedObject({
    email: emailInput,
    ...newAccountFields,
  }),
  output: {
    202: closedObject({
      sent_to: field(Type.String(), 'The address to which an email is on its way.', 'ada.lind@example.org'),
    }),
  },
  refuses: ['organisation_name_taken', 'too_many_requests'],
  checks: [checkRequiredName, checkNewOrganisationName],
  run: async (context, { email, name, role = 'member' }) => {
    const registration_sealed = sealRegistration(context, {
      email: toCanonicalEmail(email),
      role,
      name,
      asked_for_ms: context.now().getTime(),
    });
    // The task looks for the account, so that neither the reply nor its timing depends on it.
    return runLimitedMail(context, email, 'holder', () =>
      context.transaction(async (tx) => {
        await context.queue.send(tx, sendAccountLink, { registration_sealed });
        return { sent_to: toCanonicalEmail(email) };
      }),
    );
  },
});
