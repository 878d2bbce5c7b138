import { randomUUID } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import { buildDeletion, mailTask, sendMail } from '#modules/operations/mail';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from '../find-greeting-name.ts';
import { openRecipient, sealRecipient } from '../sealed-recipient.ts';
import { deriveMailedToken } from '../secret-token.ts';
import { findMailing, findUser, insertMailedToken } from '../store.ts';

type Data = {
  /** The recipient, encrypted, because the queue stores finished tasks for a while, and without a retention period the account is erased before the email. */
  readonly sealed: string;
  /** The token that cancels the deletion; null if the account is erased at once. */
  readonly mailed_token_id: string | null;
  readonly requested_at: string;
  readonly erase_after: string;
};

/** Emails users that their account will be deleted, with the link that cancels the deletion, unless it is already cancelled. */
export const sendDeletionNotice = task<Data>({
  name: 'accounts.sendDeletionNotice',
  ...mailTask,
  run: async (context, { sealed, mailed_token_id, requested_at, erase_after }) => {
    const { database, config, secrets, now } = context;
    if (mailed_token_id !== null && !(await findMailing(database, mailed_token_id, now()))) return;
    const token = mailed_token_id === null ? undefined : deriveMailedToken(secrets, mailed_token_id);
    const { email, name } = openRecipient(context, 'deletion-notice', sealed);
    const times = { requested_at: new Date(requested_at), erase_after: new Date(erase_after) };
    await sendMail(context, { email, name }, buildDeletion(config.publicUrl, token, times));
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
    sealed: sealRecipient({ secrets }, 'deletion-notice', { email: user.email, name }),
    mailed_token_id: is_cancellable ? id : null,
    requested_at: created_at.toISOString(),
    erase_after: erase_after.toISOString(),
  });
}
