import { buildAccountLink, mailTask, sendMail } from '#modules/operations/mail';
import { Refusal } from '#lib/refusal.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { findAccount } from '../store.ts';
import { openRegistration, registration_hours, type Registration } from './sealed-registration.ts';

/**
 * Emails the link that opens an account, or to the owner of an address that has one, how to log in. If the task runs twice, it emails the same twice,
 * which is harmless.
 */
export const sendAccountLink = task<{ readonly registration_sealed: string }>({
  name: 'accounts.sendAccountLink',
  ...mailTask,
  run: async (context, { registration_sealed }) => {
    const registration = openUnlessExpired(context, registration_sealed);
    if (registration === undefined) return;
    const account = await findAccount(context.database, registration.email);
    if (account && account.suspended_at !== null) return;
    const text = buildAccountLink(context.config.publicUrl, registration_sealed, {
      hours: registration_hours,
      hasAccount: account !== undefined,
    });
    // Nobody has proven yet that the mailbox is that of the account, whose name may be anything.
    await sendMail(context, { email: registration.email, name: undefined }, text);
  },
});

function openUnlessExpired(context: TaskContext, sealed: string): Registration | undefined {
  try {
    return openRegistration(context, sealed);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
