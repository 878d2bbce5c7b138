import { Type } from 'typebox';
import { checkOrganisationName } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { checkNewPassword, checkPasswordWords } from '../accounts/new-account.ts';
import { insertProvenAccount } from '../accounts/replace-wrong-claim.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { accessTokenFields, passwordInput, registeredUserWire, toWire } from '../wire.ts';
import { openRegistration, sealed_characters_max, type Registration } from './sealed-registration.ts';

export const openAccount = operation({
  name: 'accounts.openAccount',
  title: 'Open an account with the link of an email',
  summary:
    'Creates the account that was requested, with a verified address and a password that its owner chooses now, and logs in. The link works for a day.',
  who: 'anyone',
  input: closedObject({
    token: field(
      Type.String({ minLength: 1, maxLength: sealed_characters_max }),
      'The token of the link in the email.',
      sampleTokens.mail,
    ),
    password: passwordInput,
  }),
  output: { 201: closedObject({ ...accessTokenFields, user: registeredUserWire }) },
  location: () => '/auth/me',
  refuses: [
    'registration_link_invalid',
    'email_taken',
    'organisation_name_taken',
    'password_too_weak',
    'password_too_common',
    'overloaded',
  ],
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  checks: [({ password }) => checkNewPassword(password, '/password')],
  run: async (context, { token, password }) => {
    const registration = openRegistration(context, token);
    const { email, name, role } = registration;
    checkPasswordWords(password, [email, name]);
    if (role === 'org_admin' && name !== undefined)
      await checkOrganisationName(context, context.database, { name });
    const password_hash = await hashPassword(password);
    return context.transaction((tx) => createAccount(context, tx, { ...registration, password_hash }));
  },
});

async function createAccount(
  context: Context<never>,
  tx: Transaction,
  { email, role, name, password_hash }: Registration & { readonly password_hash: string },
) {
  const account = await insertProvenAccount(context, tx, { email, role, name, password_hash });
  const { tokens, cookie } = await issueSession(context, tx, account);
  const { linked_entity_id: _linked, last_login: _login, ...user } = toWire(account);
  return reply(201, { ...tokens, user }, [cookie]);
}
