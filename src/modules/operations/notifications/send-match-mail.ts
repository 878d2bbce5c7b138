import { buildMatchNotice, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';
import { prepareNotice } from './prepare-notice.ts';
import type { Notice } from './store.ts';

/** Sends the email about a match, unless it is no longer true or no longer wanted. */
export const sendMatchMail = task<Notice>({
  name: 'notifications.sendMatchMail',
  ...mailTask,
  group_by: ({ user_id }) => user_id,
  run: async (context, notice) => {
    const prepared = await prepareNotice(context.database, notice, context.now());
    if (!prepared) return;
    const subscription = { user_id: notice.user_id, scope: prepared.kind };
    const recipient = addUnsubscribeUrl(context, prepared, subscription);
    await sendMail(context, recipient, buildMatchNotice(context.config.publicUrl, prepared));
  },
});
