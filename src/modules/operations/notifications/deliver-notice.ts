import type { Transaction } from '#platform/database/database.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { computeDigestTime, defaultSettings } from './rules.ts';
import { sendMatchMail } from './send-match-mail.ts';
import { insertWaitingNotice, findSettings, type Notice } from './store.ts';

/** Queues the email about a match, or adds it to the user's next digest, as the user has chosen. */
export async function deliverNotice(
  { queue, now }: Pick<TaskContext, 'queue' | 'now'>,
  tx: Transaction,
  notice: Notice,
): Promise<void> {
  const frequency = ((await findSettings(tx, notice.user_id)) ?? defaultSettings)[notice.kind];
  if (frequency === 'immediately') await queue.send(tx, sendMatchMail, notice);
  if (frequency === 'weekly') await insertWaitingNotice(tx, notice, computeDigestTime(now()));
}
