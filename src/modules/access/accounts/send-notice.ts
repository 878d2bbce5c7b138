import { buildAccountNotice, mailTask, sendMail, type AccountNotice } from '#modules/operations/mail';
import type { Executor, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from './find-greeting-name.ts';
import { openRecipient, sealRecipient } from './sealed-recipient.ts';
import { buildAllowance } from './build-allowance.ts';
import { chargeAllowance } from './store-guesses.ts';
import { findAccountById, lockPlatformAdministrators } from './store.ts';
import { listAllAdministrators } from './store-organisation-users.ts';

type Data = {
  readonly user_id: string;
  readonly notice: AccountNotice;
  readonly at: string;
  /**
   * The address and the name at the time of the change, and a sentence that follows that of the notice, encrypted: a later change must not lead
   * the notice to another user, and an account that was removed no longer has a name.
   */
  readonly sealed: string;
};

/** Emails users when the way they log in changes, so that they notice a change that they did not make. */
export const sendNotice = task<Data>({
  name: 'accounts.sendNotice',
  ...mailTask,
  run: async (context, { sealed, notice, at }) => {
    const { email, name, about, unproven } = openRecipient(context, 'notice', sealed);
    if (unproven && !(await countUnproven(context, context.database, email))) return;
    const text = buildAccountNotice(context.config.publicUrl, { notice, about, at: new Date(at) });
    await sendMail(context, { email, name }, text);
  },
});

/** How many, in how many seconds. */
const unprovenLimit = [10, 86_400] as const;

/**
 * Counts a notice to an address that nobody has proven to be its account's: anyone who registered it can cause notices without end. @returns whether
 * it may be sent.
 */
async function countUnproven(
  services: Pick<Services, 'config' | 'secrets' | 'now'>,
  db: Executor,
  email: string,
): Promise<boolean> {
  if (!services.config.rateLimits) return true;
  return chargeAllowance(db, buildAllowance(services, ['notice', email], unprovenLimit), services.now());
}

/**
 * Queues a notice to the address that the user has now, emailed if the transaction commits. Call this before the address changes.
 *
 * @param about A sentence that follows that of the notice.
 */
export async function queueNotice(
  { queue, now, secrets }: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  user_id: string,
  notice: AccountNotice,
  about?: string,
): Promise<void> {
  const user = await findAccountById(tx, user_id);
  // An account that was created by a handle has no address at first.
  if (!user || user.email === null) return;
  const name = await findGreetingName(tx, user_id);
  const unproven = !user.email_verified;
  const sealed = sealRecipient({ secrets }, 'notice', { email: user.email, name, about, unproven });
  await queue.send(tx, sendNotice, { user_id, notice, at: now().toISOString(), sealed });
}

/** Queues a notice to all administrators of an organisation or, with null, of the service. @param about A sentence that follows that of the notice. */
export async function queueAdministratorNotices(
  services: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  org_id: string | null,
  notice: AccountNotice,
  about?: string,
): Promise<void> {
  const ids =
    org_id === null ? await lockPlatformAdministrators(tx) : await listAllAdministrators(tx, org_id);
  for (const id of ids) await queueNotice(services, tx, id, notice, about);
}
