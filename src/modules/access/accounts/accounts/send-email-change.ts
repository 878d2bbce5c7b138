import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { renderMail } from '#platform/mail-template.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { verification_hours } from '../rules.ts';
import { deriveMailedToken, hashToken } from '../secret-token.ts';
import { findMailing, insertMailedToken, markMailedTokensUsed } from '../store.ts';

/** Emails the link that makes a new address the address of an account. If the task runs twice, it emails the same link twice, which is harmless. */
export const sendEmailChange = task<{ readonly mailed_token_id: string }>({
  name: 'accounts.sendEmailChange',
  retry_seconds: [10, 60, 300, 900],
  run: async ({ database, mailer, config, secrets, now }, { mailed_token_id }) => {
    const mailing = await findMailing(database, mailed_token_id, now());
    if (!mailing) return;
    const token = deriveMailedToken(secrets, mailed_token_id);
    const name = await findGreetingName(database, mailing.user_id);
    await mailer.send({ to: mailing.email, ...buildEmailChangeMail(config.publicUrl, name, token) });
  },
});

/** Queues the email to a user's new address, sent if the transaction commits. Only the newest of several links works. */
export async function queueEmailChange(
  { queue, secrets, now }: Pick<Services, 'queue' | 'secrets' | 'now'>,
  tx: Transaction,
  { user_id, email }: { readonly user_id: string; readonly email: string },
): Promise<void> {
  const id = randomUUID();
  const created_at = now();
  const expires_at = new Date(created_at.getTime() + verification_hours * 3_600_000);
  const token_hash = hashToken(deriveMailedToken(secrets, id));
  await markMailedTokensUsed(tx, user_id, ['change_email'], created_at);
  const purpose = 'change_email';
  await insertMailedToken(tx, { id, token_hash, user_id, purpose, email, created_at, expires_at });
  await queue.send(tx, sendEmailChange, { mailed_token_id: id });
}

function buildEmailChangeMail(publicUrl: string, name: string | undefined, token: string) {
  return renderMail({
    subject: 'Verify your new email address',
    name,
    publicUrl,
    parts: [
      `An account at ${new URL(publicUrl).host} will use this email address. If the account is yours, verify the address within ${verification_hours} hours:`,
      { link: `${publicUrl}/verify-email?token=${token}`, label: 'Verify this address' },
      'If another account was registered with this address and never verified it, that account is closed, and its data is erased.',
      'If the account is not yours, ignore this email. The account does not get this address unless the link is opened.',
      {
        program: `A program can send this token to POST ${publicUrl}/api/v1/auth/verify-email instead:`,
        token,
      },
    ],
  });
}
