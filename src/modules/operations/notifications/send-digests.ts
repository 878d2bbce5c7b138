import { nil_uuid } from '#lib/nil-uuid.ts';
import { buildDigest, mailTask, sendMail } from '#modules/operations/mail';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { prepareNotice, type PreparedNotice } from './prepare-notice.ts';
import { prepareReadReport } from './prepare-read-report.ts';
import { sendMemberNotice } from './send-member-notice.ts';
import { computeOldestDue } from './rules.ts';
import { listDueMemberNotices, type NoticeKey } from './store-member-notices.ts';
import { deleteNotices, listDueNotices, listDueUsers } from './store.ts';
import { finishReadNotice } from './store-reads.ts';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';

const batch_users = 500;
const digest_notices_max = 50;

/** Comes before the key of every notice. */
const first_key = { user_id: nil_uuid, kind: '' };

/** Queues the digests and the emails about assessments that are due. It runs every five minutes, so that a digest is late by as long as the service was down and not by a week. */
export const sendDigests = task({
  name: 'notifications.sendDigests',
  // The next run replaces a retry.
  retry_seconds: [],
  every: '*/5 * * * *',
  run: async ({ database, queue, now, signal }) => {
    for (let after: string | undefined = nil_uuid; after !== undefined;) {
      signal.throwIfAborted();
      const users = await listDueUsers(database, { now: now(), after, limit: batch_users });
      await database.transaction(async (tx) => {
        for (const user_id of users) await queue.send(tx, sendDigest, { user_id });
      });
      after = users.length === batch_users ? users.at(-1) : undefined;
    }
    await queueMemberNotices({ database, queue, now, signal });
  },
});

/** Queues all that are due: emails that the mail server refuses stay due for a week, and must not keep the others waiting. */
async function queueMemberNotices({
  database,
  queue,
  now,
  signal,
}: Pick<TaskContext, 'database' | 'queue' | 'now' | 'signal'>): Promise<void> {
  const due = { since: computeOldestDue(now()), now: now() };
  for (let after: Readonly<Record<'user_id' | 'kind', string>> | undefined = first_key; after;) {
    signal.throwIfAborted();
    const notices: readonly NoticeKey[] = await listDueMemberNotices(database, due, after, batch_users);
    await database.transaction(async (tx) => {
      for (const notice of notices) await queue.send(tx, sendMemberNotice, notice);
    });
    after = notices.length === batch_users ? notices.at(-1) : undefined;
  }
}

/** Sends the digest of a user, with what is still true and still wanted; no email if nothing is. */
export const sendDigest = task<{ readonly user_id: string }>({
  name: 'notifications.sendDigest',
  ...mailTask,
  merge_by: ({ user_id }) => user_id,
  run: async (context, { user_id }) => {
    const { database, config, now } = context;
    const notices = await listDueNotices(database, user_id, now(), digest_notices_max);
    const prepared = await prepareNotices(context, notices);
    const reads = await prepareReadReport(database, user_id, now());
    const about = reads?.report ?? prepared[0];
    if (about) {
      const subscription = { user_id, scope: prepared.length === 0 ? 'data_read' : 'all' } as const;
      const text = buildDigest(config.publicUrl, prepared, reads?.report?.summary);
      await sendMail(context, addUnsubscribeUrl(context, about, subscription), text);
    }
    // A crash before this line repeats the email. A crash after a deletion that came first would lose it.
    await deleteNotices(database, user_id, notices);
    if (reads) await finishReadNotice(database, reads.end);
  },
});

async function prepareNotices(
  context: Pick<TaskContext, 'database' | 'config' | 'now'>,
  notices: Awaited<ReturnType<typeof listDueNotices>>,
): Promise<readonly PreparedNotice[]> {
  const prepared: PreparedNotice[] = [];
  for (const notice of notices) {
    const each = await prepareNotice(context, notice);
    if (each) prepared.push(each);
  }
  return prepared;
}
