import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { parallel_mails } from '#platform/mail.ts';
import { renderMail } from '#platform/mail-template.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { verification_hours } from '../rules.ts';
import { deriveMailedToken, hashToken } from '../secret-token.ts';
import { findMailing, insertMailedToken } from '../store.ts';

/** Emails the link that verifies an address. If the task runs twice, it emails the same link twice, which is harmless. */
export const sendVerification = task<{ readonly mailed_token_id: string }>({
  name: 'accounts.sendVerification',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  run: async (context, { mailed_token_id }) => {
    const mailing = await findMailing(context.database, mailed_token_id, context.now());
    if (!mailing) return;
    const { database, config, secrets, mailer } = context;
    const name = await findGreetingName(database, mailing.user_id);
    const token = deriveMailedToken(secrets, mailed_token_id);
    await mailer.send({ to: mailing.email, ...buildVerificationMail(config.publicUrl, name, token) });
  },
});

/** Queues an email with the link that verifies the address of a user, sent if the transaction commits. */
export async function queueVerification(
  context: Pick<Services, 'queue' | 'secrets' | 'now'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const id = randomUUID();
  const created_at = context.now();
  const expires_at = new Date(created_at.getTime() + verification_hours * 3_600_000);
  const token_hash = hashToken(deriveMailedToken(context.secrets, id));
  await insertMailedToken(tx, { id, token_hash, user_id, purpose: 'verify_email', created_at, expires_at });
  await context.queue.send(tx, sendVerification, { mailed_token_id: id });
}

function buildVerificationMail(publicUrl: string, name: string | undefined, token: string) {
  return renderMail({
    subject: 'Verify your email address',
    name,
    publicUrl,
    parts: [
      `An account with this email address was created at ${new URL(publicUrl).host}. If it is yours, verify the address within ${verification_hours} hours:`,
      { link: `${publicUrl}/verify-email?token=${token}`, label: 'Verify this address' },
      'If it is not yours, do not open the link: the address remains unverified. To take the account over, request a new password for it.',
      {
        program: `A program can send this token to POST ${publicUrl}/api/v1/auth/verify-email instead:`,
        token,
      },
    ],
  });
}
