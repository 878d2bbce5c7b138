import { findAccount } from '#modules/access/accounts';
import { buildMirrorLink, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import { link_hours } from './rules.ts';
import { mirror_ms, openLink } from './sealed-mirror.ts';

/**
 * Emails the link that keeps a first mirror. The answers are in the link, and encrypted in the data of the task. After an hour the task ends without an
 * email, so that the service does not store them any longer.
 */
export const sendMirrorLink = task<{ readonly link_sealed: string }>({
  name: 'traits.sendMirrorLink',
  ...mailTask,
  retry_seconds: [10, 60, 300, 900, 2_400],
  run: async (context, { link_sealed }) => {
    const { database, config, now } = context;
    const link = openLink(context, link_sealed);
    if (link === undefined || now().getTime() - link.asked_for_ms > mirror_ms) return;
    const account = await findAccount(database, link.email);
    if (account && account.suspended_at !== null) return;
    const text = buildMirrorLink(config.publicUrl, link_sealed, {
      hours: link_hours,
      hasAccount: account !== undefined,
    });
    // Nobody has proven yet that the mailbox is that of the account, whose name may be anything.
    await sendMail(context, { email: link.email, name: undefined }, text);
  },
});
