import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { parallel_mails } from '#platform/mail.ts';
import { renderMail, type MailPart } from '#platform/mail-template.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { computeMailWaitSeconds, reset_minutes } from '../rules.ts';
import { deriveMailedToken, hashToken } from '../secret-token.ts';
import { findAccount, findMailing, insertMailedToken, listMailTimes, lockUser } from '../store.ts';
import { isWronglyClaimed } from '../accounts/replace-wrong-claim.ts';
import { isSsoAccount } from '../passwords/passwords.ts';

const purpose = 'reset_password';

type Data = {
  /** Encrypted, because the queue stores finished tasks for a while, and this may be an address without an account. */
  readonly email_sealed: string;
  readonly mailed_token_id: string;
};

/**
 * Emails the link to choose a new password, unless the account does not exist, is suspended, or was sent five links within the last hour. An
 * account without a password gets a link only if its organisation does not hold the domain: the link then removes the account. If the task
 * runs twice, it emails the same link twice, which is harmless.
 */
export const sendPasswordReset = task<Data>({
  name: 'accounts.sendPasswordReset',
  retry_seconds: [10, 60, 300],
  parallel: parallel_mails,
  run: async (context, { email_sealed, mailed_token_id }) => {
    const email = context.secrets.decrypt('password-reset', Buffer.from(email_sealed, 'base64'));
    const account = await findAccount(context.database, email);
    if (!account || account.suspended_at !== null) return;
    const isStored = await context.database.transaction(async (tx) => {
      if (isSsoAccount(account) && !(await isWronglyClaimed(context, tx, account))) return false;
      await storeResetToken(context, tx, account.id, mailed_token_id);
      return true;
    });
    if (!isStored) return;
    const mailing = await findMailing(context.database, mailed_token_id, context.now());
    if (!mailing) return;
    const token = deriveMailedToken(context.secrets, mailed_token_id);
    const name = await findGreetingName(context.database, account.id);
    const buildMail = isSsoAccount(account) ? buildDisplacementMail : buildResetMail;
    await context.mailer.send({ to: mailing.email, ...buildMail(context.config.publicUrl, name, token) });
  },
});

/** Encrypts an email address for the data of the task. */
export function sealEmail({ secrets }: Pick<Platform, 'secrets'>, email: string): string {
  return secrets.encrypt('password-reset', email).toString('base64');
}

async function storeResetToken(
  context: TaskContext,
  tx: Transaction,
  user_id: string,
  id: string,
): Promise<void> {
  const created_at = context.now();
  await lockUser(tx, user_id);
  if (await findMailing(tx, id, created_at)) return;
  if (computeMailWaitSeconds(await listMailTimes(tx, user_id, purpose), created_at) > 0) return;
  const token_hash = hashToken(deriveMailedToken(context.secrets, id));
  const expires_at = new Date(created_at.getTime() + reset_minutes * 60_000);
  await insertMailedToken(tx, { id, token_hash, user_id, purpose, created_at, expires_at });
}

function buildResetMail(publicUrl: string, name: string | undefined, token: string) {
  return renderMail({
    subject: 'Choose a new password',
    name,
    publicUrl,
    parts: [
      `A new password was requested for your account at ${new URL(publicUrl).host}. You can choose it within ${reset_minutes} minutes:`,
      { link: `${publicUrl}/reset-password?token=${token}`, label: 'Choose a new password' },
      'The link works once. A new password logs out all your devices. If you did not request it, ignore this email: your password does not change.',
      buildProgramPart(publicUrl, token),
    ],
  });
}

/** To the owner of an address for which single sign-on of an organisation that does not hold the domain created an account. */
function buildDisplacementMail(publicUrl: string, _name: string | undefined, token: string) {
  return renderMail({
    subject: 'Get your email address back',
    // The organisation chose the name of the account.
    name: undefined,
    publicUrl,
    parts: [
      `A new password was requested for your address at ${new URL(publicUrl).host}. An organisation created the account with this address, and the organisation has not proven that the domain of the address is its own.`,
      `If you do not work for that organisation, open this link within ${reset_minutes} minutes. It removes that account, and creates an account of a member with your address and the password that you choose:`,
      { link: `${publicUrl}/reset-password?token=${token}`, label: 'Get my address back' },
      'If you log in through that organisation, do not open the link, because you would lose your access: ask its administrator to verify the domain. The link works once.',
      buildProgramPart(publicUrl, token),
    ],
  });
}

function buildProgramPart(publicUrl: string, token: string): MailPart {
  return {
    program: `A program can send this token and the new password to POST ${publicUrl}/api/v1/auth/reset-password instead:`,
    token,
  };
}
