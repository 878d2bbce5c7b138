import { roles } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { closedObject } from '#platform/schema.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { runLimitedMail } from '../guess-limits.ts';
import { isSsoAccount } from '../passwords/passwords.ts';
import { computeMailWaitSeconds, toCanonicalEmail } from '../rules.ts';
import { queueNotice } from '../send-notice.ts';
import { findAccount, findAccountById, listMailTimes, lockUser, type LockedUser } from '../store.ts';
import { emailInput } from '../wire.ts';
import { isAddressOwner } from './displace-account.ts';
import { queueEmailChange } from './send-verification.ts';

export const changeEmail = operation({
  name: 'accounts.changeEmail',
  title: 'Change email address',
  summary:
    'Emails a token to a new email address. POST /auth/verify-email with this token makes it the address of the account. At most five such emails are sent an hour.',
  who: roles,
  input: closedObject({ email: emailInput }),
  output: { 202: null },
  refuses: ['email_taken', 'account_without_password'],
  run: (context, input) => {
    const email = toCanonicalEmail(input.email);
    return runLimitedMail(context, email, 'others', () =>
      context.transaction((tx) => requestEmailChange(context, tx, email)),
    );
  },
});

async function requestEmailChange(context: Context, tx: Transaction, email: string): Promise<null> {
  const user = await lockUser(tx, context.caller.user_id);
  if (!user) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  await checkEmailChange(context, tx, user, email);
  await queueEmailChange(context, tx, { user_id: user.id, email });
  // The current address receives a notice at once, because its owner can still stop the change with a new password.
  await queueNotice(context, tx, user.id, 'email_change_requested');
  const subject = buildAuditSubject(user);
  await recordCallerAudit(context, tx, { action: 'auth.email_change_requested', ...subject });
  return null;
}

async function checkEmailChange(
  { now }: Context,
  tx: Transaction,
  user: LockedUser,
  email: string,
): Promise<void> {
  const account = await findAccountById(tx, user.id);
  if (account && isSsoAccount(account)) throw new Refusal('account_without_password');
  if (email === user.email)
    throw createFieldRefusal('field_invalid', '/email', 'must differ from the current address');
  const wait_s = computeMailWaitSeconds(await listMailTimes(tx, user.id, 'change_email'), now());
  if (wait_s > 0) throw new Refusal('too_many_requests', { headers: { 'retry-after': String(wait_s) } });
  await checkAddressIsFree(tx, email);
}

/** Checks that nobody has proven that an address is theirs. @throws Refusal `email_taken`. */
export async function checkAddressIsFree(db: Reader, email: string): Promise<void> {
  const holder = await findAccount(db, email);
  if (holder && isAddressOwner(holder)) throw new Refusal('email_taken');
}
