import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { formatUtcTime } from '#platform/format-utc-time.ts';
import { renderMail } from '#platform/mail-template.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { deriveMailedToken, hashToken } from '../secret-token.ts';
import { findMailing, findUser, insertMailedToken } from '../store.ts';

type Data = {
  /** Encrypted, because the queue stores finished tasks for a while, and without a retention period the account is erased before the email. */
  readonly email_sealed: string;
  readonly name_sealed?: string;
  /** The token that cancels the deletion; null if the account is erased at once. */
  readonly mailed_token_id: string | null;
  readonly requested_at: string;
  readonly erase_after: string;
};

/** Emails users that their account will be deleted, with the link that cancels the deletion, unless it is already cancelled. */
export const sendDeletionNotice = task<Data>({
  name: 'accounts.sendDeletionNotice',
  retry_seconds: [10, 60, 300, 900],
  run: async ({ database, mailer, config, secrets, now }, data) => {
    const { mailed_token_id } = data;
    if (mailed_token_id !== null && !(await findMailing(database, mailed_token_id, now()))) return;
    const token = mailed_token_id === null ? undefined : deriveMailedToken(secrets, mailed_token_id);
    const to = secrets.decrypt('deletion-notice', Buffer.from(data.email_sealed, 'base64'));
    const name =
      data.name_sealed === undefined
        ? undefined
        : secrets.decrypt('deletion-notice-name', Buffer.from(data.name_sealed, 'base64'));
    await mailer.send({ to, ...buildDeletionMail(config.publicUrl, data, { name, token }) });
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
  // An account without an address gets no mail, and the page for deleting it says so.
  if (!user || user.email === null) return;
  const id = randomUUID();
  const token_hash = hashToken(deriveMailedToken(secrets, id));
  const purpose = 'cancel_deletion';
  const is_cancellable = erase_after > created_at;
  if (is_cancellable)
    await insertMailedToken(tx, { id, token_hash, user_id, purpose, created_at, expires_at: erase_after });
  const name = await findGreetingName(tx, user_id);
  await queue.send(tx, sendDeletionNotice, {
    ...(name !== undefined && {
      name_sealed: secrets.encrypt('deletion-notice-name', name).toString('base64'),
    }),
    email_sealed: secrets.encrypt('deletion-notice', user.email).toString('base64'),
    mailed_token_id: is_cancellable ? id : null,
    requested_at: created_at.toISOString(),
    erase_after: erase_after.toISOString(),
  });
}

function buildDeletionMail(
  publicUrl: string,
  data: Data,
  { name, token }: { readonly name: string | undefined; readonly token: string | undefined },
) {
  const { host } = new URL(publicUrl);
  const request = `The deletion of your account at ${host} was requested on ${formatUtcTime(new Date(data.requested_at))}. All your devices were logged out.`;
  if (token === undefined)
    return renderMail({
      subject: 'Your account is being deleted',
      name,
      publicUrl,
      parts: [`${request} Your data is being erased now, which cannot be undone.`],
    });
  return renderMail({
    subject: 'Your account will be deleted',
    name,
    publicUrl,
    parts: [
      request,
      `Your data will be erased after ${formatUtcTime(new Date(data.erase_after))}. Until then, you can keep your account:`,
      { link: `${publicUrl}/cancel-deletion?token=${token}`, label: 'Keep my account' },
      'If you did not request the deletion, keep your account now, and then choose a new password:',
      { link: `${publicUrl}/forgot-password`, label: 'Choose a new password' },
      {
        program: `A program can send this token to POST ${publicUrl}/api/v1/auth/cancel-deletion instead:`,
        token,
      },
    ],
  });
}
