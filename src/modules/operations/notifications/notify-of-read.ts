import { findMemberAccounts } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { computeReadNoticeTime } from './rules.ts';
import { readSettings } from './settings.ts';
import { findReadNotice, finishReadNotice, upsertReadNotice } from './store-reads.ts';

/** How far the first email about reads looks back before the read that caused it, for reads whose task has not run yet. */
const first_report_ms = 3_600_000;

/** Has the next email about reads sent to a member whose data was read. The email counts all of them. */
export const notifyOfRead = task<{ readonly member_id: string }>({
  name: 'notifications.notifyOfRead',
  retry_seconds: [10, 60, 300],
  group_by: ({ member_id }) => member_id,
  merge_by: ({ member_id }) => member_id,
  run: ({ database, now }, { member_id }) =>
    database.transaction(async (tx) => {
      const { user_ids } = await findMemberAccounts(tx, member_id);
      for (const user_id of user_ids) await storeReadNotice(tx, { user_id, member_id }, now());
    }),
});

async function storeReadNotice(
  tx: Transaction,
  { user_id, member_id }: { readonly user_id: string; readonly member_id: string },
  now: Date,
): Promise<void> {
  const { data_read } = await readSettings(tx, user_id);
  // The member does not want to know about this read, even if they want to know about later ones.
  if (data_read === 'never') return finishReadNotice(tx, { user_id, reported_until: now, due_at: null });
  const earlier = await findReadNotice(tx, user_id);
  await upsertReadNotice(tx, {
    user_id,
    member_id,
    reported_until: new Date(now.getTime() - first_report_ms),
    latest_at: now,
    due_at: computeReadNoticeTime(data_read, earlier?.reported_until, now),
  });
}
