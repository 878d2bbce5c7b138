import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import {
  accessTokenFields,
  displaceAccount,
  hashPassword,
  insertAccount,
  issueSession,
  passwordInput,
  registeredUserWire,
  toUserWire,
  markEmailVerified,
  newPasswordChecks,
} from '#modules/access/accounts';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { findInvitationByToken, lockInvitationByToken, endInvitation, type Invitation } from './store.ts';

export const acceptInvitation = operation({
  name: 'orgUsers.acceptInvitation',
  summary:
    'Accepts an invitation: creates the account with a password and logs it in. The token from the email works once.',
  who: 'anyone',
  input: closedObject({
    token: field(
      Type.String({ maxLength: 200 }),
      'The token of the link in the invitation.',
      sampleTokens.mail,
    ),
    password: passwordInput,
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
    'invitation_token_invalid',
    'organisation_suspended',
    'email_taken',
    'password_too_weak',
    'password_too_common',
    'overloaded',
  ],
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  checks: newPasswordChecks,
  run: async (context, { token, password }) => {
    const presented = { token_hash: hashToken(token), now: context.now() };
    // Checked first, so that an invented token cannot cause a password hash, which costs tens of milliseconds.
    const open = await findInvitationByToken(context.database, presented);
    if (!open) throw new Refusal('invitation_token_invalid');
    if (await isSuspendedOrganisation(context.database, open.org_id))
      throw new Refusal('organisation_suspended');
    const password_hash = await hashPassword(password);
    return context.transaction(async (tx) => {
      const invitation = requireFound(await lockInvitationByToken(tx, presented), 'invitation_token_invalid');
      return createInvitedAccount(context, tx, invitation, password_hash);
    });
  },
});

/** Creates the account with a verified address, because only the owner of the mailbox could receive the token. */
async function createInvitedAccount(
  context: Context<never>,
  tx: Transaction,
  { id, email, role, org_id }: Invitation,
  password_hash: string,
) {
  const now = context.now();
  await displaceAccount(context, tx, email);
  const account = await insertAccount(tx, { email, password_hash, role, org_id, now });
  await markEmailVerified(tx, account.id, now);
  await endInvitation(tx, id, now);
  const detail = { invitation_id: id, role };
  await recordAudit(tx, {
    now,
    actor: { user_id: account.id, role },
    action: 'invitations.accepted',
    org_id,
    detail,
  });
  const { tokens, cookie } = await issueSession(context, tx, account);
  const { linked_entity_id: _linked, last_login: _login, ...user } = toUserWire(account);
  return reply(201, { ...tokens, user, verification_email_sent: false }, [cookie]);
}
