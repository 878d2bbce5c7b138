import { parallel_mails } from '#platform/mail.ts';
import { task } from '#platform/queue/task.ts';
import { buildMatchMail } from './build-mail.ts';
import { prepareNotice } from './prepare-notice.ts';
import type { Notice } from './store.ts';

/** Sends the email about a match, unless it is no longer true or no longer wanted. */
export const sendMatchMail = task<Notice>({
  name: 'notifications.sendMatchMail',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  group_by: ({ user_id }) => user_id,
  run: async (context, notice) => {
    const prepared = await prepareNotice(context.database, notice, context.now());
    if (prepared) await context.mailer.send(buildMatchMail(context, notice.user_id, prepared));
  },
});
