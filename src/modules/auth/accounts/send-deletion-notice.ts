import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { deriveMailedToken, hashToken } from '../secret-token.ts';
import { findMailing, findUser, insertMailedToken } from '../store.ts';

type Data = {
  /** Encrypted, because the queue stores finished tasks for a while, and without a retention period the account is erased before the email. */
  readonly email_sealed: string;
  /** The token that cancels the deletion; null if the account is erased at once. */
  readonly mailed_token_id: string | null;
  readonly requested_at: string;
  readonly erase_after: string;
};

/** Emails users that their account will be deleted, with the link that cancels the deletion, unless it is already cancelled. */
export const sendDeletionNotice = task<Data>({
  name: 'auth.sendDeletionNotice',
  retry_seconds: [10, 60, 300, 900],
  run: async ({ database, mailer, config, secrets, now }, data) => {
    const { mailed_token_id } = data;
    if (mailed_token_id !== null && !(await findMailing(database, mailed_token_id, now()))) return;
    const token = mailed_token_id === null ? undefined : deriveMailedToken(secrets, mailed_token_id);
    const to = secrets.decrypt('deletion-notice', Buffer.from(data.email_sealed, 'base64'));
    await mailer.send({ to, ...buildDeletionMail(config.publicUrl, data, token) });
  },
});

/** Queues the email that confirms the deletion of an account, sent if the transaction commits. */
export async function queueDeletionNotice(
  { queue, secrets, now }: Pick<Services, 'queue' | 'secrets' | 'now'>,
  tx: Transaction,
  { user_id, erase_after }: { readonly user_id: string; readonly erase_after: Date },
): Promise<void> {
  const created_at = now();
  const user = await findUser(tx, user_id);
  if (!user) return;
  const id = randomUUID();
  const token_hash = hashToken(deriveMailedToken(secrets, id));
  const purpose = 'cancel_deletion';
  const is_cancellable = erase_after > created_at;
  if (is_cancellable)
    await insertMailedToken(tx, { id, token_hash, user_id, purpose, created_at, expires_at: erase_after });
  await queue.send(tx, sendDeletionNotice, {
    email_sealed: secrets.encrypt('deletion-notice', user.email).toString('base64'),
    mailed_token_id: is_cancellable ? id : null,
    requested_at: created_at.toISOString(),
    erase_after: erase_after.toISOString(),
  });
}

function buildDeletionMail(publicUrl: string, data: Data, token: string | undefined) {
  const { host } = new URL(publicUrl);
  const request = `The deletion of your account at ${host} was requested at ${data.requested_at} (UTC). All your devices were logged out.`;
  if (token === undefined)
    return {
      subject: 'Your account is being deleted',
      text: `Hello,

${request} Your data is being erased now, which cannot be undone.
`,
    };
  return {
    subject: 'Your account will be deleted',
    text: `Hello,

${request}
Your data will be erased after ${data.erase_after} (UTC). To keep your account, open this link before then:

${publicUrl}/cancel-deletion?token=${token}

A program can send this token to POST ${publicUrl}/api/v1/auth/cancel-deletion instead:

${token}

If you did not request the deletion, open the link now, and then choose a new password:

${publicUrl}/forgot-password
`,
  };
}
