import { randomUUID } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import { buildEmailChange, buildVerification, mailTask, sendMail } from '#modules/operations/mail';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { verification_hours } from '../rules.ts';
import { deriveMailedToken } from '../secret-token.ts';
import { findMailing, insertMailedToken, markMailedTokensUsed } from '../store.ts';

/** The address of a new account, or a new address of an account. */
type Purpose = 'verify_email' | 'change_email';

const words = { verify_email: buildVerification, change_email: buildEmailChange };

/** Emails the link that verifies an address. If the task runs twice, it emails the same link twice, which is harmless. */
export const sendVerification = task<{ readonly mailed_token_id: string; readonly purpose: Purpose }>({
  name: 'accounts.sendVerification',
  ...mailTask,
  run: async (context, { mailed_token_id, purpose }) => {
    const { database, config, secrets, now } = context;
    const mailing = await findMailing(database, mailed_token_id, now());
    if (!mailing) return;
    const token = deriveMailedToken(secrets, mailed_token_id);
    const text = words[purpose](config.publicUrl, token, verification_hours);
    // Nobody has proven yet that the mailbox is that of the account, whose name may be anything.
    await sendMail(context, { email: mailing.email, name: undefined }, text);
  },
});

type QueueContext = Pick<Services, 'queue' | 'secrets' | 'now'>;

/** Queues an email with the link that verifies the address of a user, sent if the transaction commits. */
export function queueVerification(context: QueueContext, tx: Transaction, user_id: string): Promise<void> {
  return queueLink(context, tx, { user_id, purpose: 'verify_email' });
}

/** Queues the email to a user's new address, sent if the transaction commits. Only the newest of several links works. */
export async function queueEmailChange(
  context: QueueContext,
  tx: Transaction,
  { user_id, email }: { readonly user_id: string; readonly email: string },
): Promise<void> {
  await markMailedTokensUsed(tx, user_id, ['change_email'], context.now());
  await queueLink(context, tx, { user_id, email, purpose: 'change_email' });
}

async function queueLink(
  { queue, secrets, now }: QueueContext,
  tx: Transaction,
  link: { readonly user_id: string; readonly email?: string; readonly purpose: Purpose },
): Promise<void> {
  const id = randomUUID();
  const created_at = now();
  const expires_at = new Date(created_at.getTime() + verification_hours * 3_600_000);
  const token_hash = hashToken(deriveMailedToken(secrets, id));
  await insertMailedToken(tx, { id, token_hash, ...link, created_at, expires_at });
  await queue.send(tx, sendVerification, { mailed_token_id: id, purpose: link.purpose });
}
