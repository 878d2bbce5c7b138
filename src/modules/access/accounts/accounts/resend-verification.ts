import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { runLimitedMail } from '../guess-limits.ts';
import { computeMailWaitSeconds } from '../rules.ts';
import { findUser, listMailTimes, lockUser } from '../store.ts';
import { queueVerification } from './send-verification.ts';

export const resendVerification = operation({
  name: 'accounts.resendVerification',
  title: 'Resend the verification email',
  summary:
    'Emails another link that verifies the email address. At most five such emails are sent an hour, and ten a day.',
  who: roles,
  output: { 202: null },
  refuses: ['email_already_verified', 'email_missing', 'too_many_requests'],
  run: async (context) => {
    const user = await findUser(context.database, context.caller.user_id);
    const resend = () => context.transaction((tx) => queueAgain(context, tx));
    return user?.email ? runLimitedMail(context, user.email, 'holder', resend) : resend();
  },
});

async function queueAgain(context: Context, tx: Transaction): Promise<null> {
  const { user_id } = context.caller;
  const user = await lockUser(tx, user_id);
  if (!user) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  if (user.email === null) throw new Refusal('email_missing');
  if (user.email_verified_at !== null) throw new Refusal('email_already_verified');
  const wait_s = computeMailWaitSeconds(await listMailTimes(tx, user_id, 'verify_email'), context.now());
  if (wait_s > 0) throw new Refusal('too_many_requests', { headers: { 'retry-after': String(wait_s) } });
  await queueVerification(context, tx, user_id);
  return null;
}
