import type { Transaction } from '#platform/database/database.ts';
import { type TaskContext, task } from '#platform/queue/task.ts';
import { computeDigestTime } from './rules.ts';
import { readSettings } from './settings.ts';
import { insertWaitingNotice, type Notice } from './store.ts';
import { buildMatchNotice, mailTask, sendMail } from '#modules/operations/mail';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';
import { prepareNotice } from './prepare-notice.ts';

/** Queues the email about a match, or adds it to the user's next digest, as the user has chosen. */
export async function deliverNotice(
  { queue, now }: Pick<TaskContext, 'queue' | 'now'>,
  tx: Transaction,
  notice: Notice,
): Promise<void> {
  const frequency = (await readSettings(tx, notice.user_id))[notice.kind];
  if (frequency === 'immediately') await queue.send(tx, sendMatchMail, notice);
  if (frequency === 'weekly') await insertWaitingNotice(tx, notice, computeDigestTime(now()));
}

/** Sends the email about a match, unless it is no longer true or no longer wanted. */
export const sendMatchMail = task<Notice>({
  name: 'notifications.sendMatchMail',
  ...mailTask,
  group_by: ({ user_id }) => user_id,
  run: async (context, notice) => {
    const prepared = await prepareNotice(context, notice);
    if (!prepared) return;
    const subscription = { user_id: notice.user_id, scope: prepared.kind };
    const recipient = addUnsubscribeUrl(context, prepared, subscription);
    await sendMail(context, recipient, buildMatchNotice(context.config.publicUrl, prepared));
  },
});
