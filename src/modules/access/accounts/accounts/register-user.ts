import { Type } from 'typebox';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { runLimitedMail } from '../guess-limits.ts';
import type { registerableRoles } from '../rules.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import {
  accessTokenFields,
  emailInput,
  newAccountFields,
  passwordInput,
  registeredUserWire,
  toWire,
} from '../wire.ts';
import { hashPassword } from '../passwords/passwords.ts';
import {
  checkNewOrganisationName,
  checkRequiredName,
  insertAccount,
  newPasswordChecks,
  type NewAccount,
} from './new-account.ts';
import { queueVerification } from './send-verification.ts';

export const registerUser = operation({
  name: 'accounts.registerUser',
  summary:
    'Creates an account for a member, or an organisation with its first administrator, and logs the user in.',
  who: 'anyone',
  input: closedObject({
    email: emailInput,
    password: passwordInput,
    ...newAccountFields,
  }),
  output: {
    201: closedObject({
      ...accessTokenFields,
      user: registeredUserWire,
      verification_email_sent: Type.Boolean(),
    }),
  },
  location: () => '/auth/me',
  refuses: [
    'email_taken',
    'organisation_name_taken',
    'password_too_weak',
    'password_too_common',
    'overloaded',
    'too_many_requests',
  ],
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  checks: [...newPasswordChecks, checkRequiredName, checkNewOrganisationName],
  run: async (context, { email, password, name, role = 'member' }) => {
    const password_hash = await hashPassword(password);
    return runLimitedMail(context, email, 'holder', () =>
      context.transaction((tx) => createAccount(context, tx, { email, password_hash, name, role })),
    );
  },
});

type Registration = Pick<NewAccount, 'email' | 'password_hash' | 'name'> & {
  readonly role: (typeof registerableRoles)[number];
};

async function createAccount(context: Context<never>, tx: Transaction, registration: Registration) {
  const now = context.now();
  const account = await insertAccount(tx, { ...registration, now });
  await recordAudit(tx, {
    now,
    actor: { user_id: account.id, role: registration.role },
    action: 'auth.registered',
    ...buildAuditSubject(account),
  });
  const { tokens, cookie } = await issueSession(context, tx, account);
  await queueVerification(context, tx, account.id);
  const { linked_entity_id: _linked, last_login: _login, ...user } = toWire(account);
  return reply(201, { ...tokens, user, verification_email_sent: true }, [cookie]);
}
