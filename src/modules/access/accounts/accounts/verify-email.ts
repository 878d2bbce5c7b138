import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { recordEmailVerified } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { operation, type Context } from '#platform/operation.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { queueNotice } from '../send-notice.ts';
import { displaceAccount } from './displace-account.ts';
import {
  findTokenHolder,
  lockUser,
  replaceEmail,
  markEmailVerified,
  markMailedTokensUsed,
  markMailedTokenUsed,
  type LockedUser,
  type MailPurpose,
} from '../store.ts';

export const verifyEmail = operation({
  name: 'accounts.verifyEmail',
  title: 'Verify email address',
  summary:
    'Verifies an email address with the token that was emailed to it, at the registration or when the address changes. The token works once, within 24 hours.',
  who: 'anyone',
  input: closedObject({
    token: field(Type.String({ maxLength: 200 }), 'The token of the link in the mail.', sampleTokens.mail),
  }),
  output: { 204: null },
  refuses: ['verification_token_invalid', 'email_taken'],
  run: (context, { token }) =>
    context.transaction(async (tx) => {
      const verified =
        (await confirmFirstAddress(context, tx, token)) || (await confirmNewAddress(context, tx, token));
      if (!verified) throw new Refusal('verification_token_invalid');
      return null;
    }),
});

async function confirmFirstAddress(
  context: Context<never>,
  tx: Transaction,
  token: string,
): Promise<boolean> {
  const taken = await takeToken(context, tx, 'verify_email', token);
  if (!taken) return false;
  await markEmailVerified(tx, taken.user.id, context.now());
  await recordVerification(context, tx, taken.user, 'auth.email_verified');
  return true;
}

/** Makes the new address the address of the account, and tells the old one. */
async function confirmNewAddress(context: Context<never>, tx: Transaction, token: string): Promise<boolean> {
  const taken = await takeToken(context, tx, 'change_email', token);
  if (!taken || taken.email === null) return false;
  const { user, email } = taken;
  await displaceAccount(context, tx, email);
  await queueNotice(context, tx, user.id, 'email_changed');
  await replaceEmail(tx, { id: user.id, email, verified_at: context.now() });
  // Links to the old address must not lead into the account any more.
  await markMailedTokensUsed(tx, user.id, ['verify_email', 'reset_password', 'change_email'], context.now());
  await recordVerification(context, tx, user, 'auth.email_changed');
  return true;
}

/** Uses up a token and locks its user first, as every change of an account does. Undefined if the token or the account is not valid. */
async function takeToken(context: Context<never>, tx: Transaction, purpose: MailPurpose, token: string) {
  const presented = { token_hash: hashToken(token), purpose, now: context.now() };
  const holder = await findTokenHolder(tx, presented);
  const user = holder && (await lockUser(tx, holder.user_id));
  if (!user || user.suspended_at !== null) return undefined;
  const taken = await markMailedTokenUsed(tx, presented);
  return taken && { user, email: taken.email };
}

async function recordVerification(
  context: Context<never>,
  tx: Transaction,
  user: LockedUser,
  action: 'auth.email_verified' | 'auth.email_changed',
): Promise<void> {
  const subject = buildAuditSubject(user);
  await recordAudit(tx, {
    now: context.now(),
    actor: { user_id: user.id, role: user.role },
    action,
    ...subject,
  });
  if (subject.member_id !== null) await recordEmailVerified(context, tx, subject.member_id);
}
