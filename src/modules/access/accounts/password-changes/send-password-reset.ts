import { hashToken } from '#platform/security/hash-token.ts';
import { buildDisplacement, buildPasswordReset, mailTask, sendMail } from '#modules/operations/mail';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { computeMailWaitSeconds, reset_minutes } from '../rules.ts';
import { deriveMailedToken } from '../secret-token.ts';
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
  ...mailTask,
  retry_seconds: [10, 60, 300],
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
    const isDisplacement = isSsoAccount(account);
    const buildText = isDisplacement ? buildDisplacement : buildPasswordReset;
    // The organisation chose the name of an account of single sign-on.
    const name = isDisplacement ? undefined : await findGreetingName(context.database, account.id);
    const text = buildText(context.config.publicUrl, token, reset_minutes);
    await sendMail(context, { email: mailing.email, name }, text);
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
