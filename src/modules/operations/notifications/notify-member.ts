import { findMemberAccounts } from '#modules/access/accounts';
import { task } from '#platform/queue/task.ts';
import { deliverNotice } from './deliver-notice.ts';

/** Tells a member that an organisation is interested. */
export const notifyMember = task<{ readonly match_id: string; readonly member_id: string }>({
  name: 'notifications.notifyMember',
  retry_seconds: [10, 60, 300],
  group_by: ({ member_id }) => member_id,
  run: (context, { match_id, member_id }) =>
    context.database.transaction(async (tx) => {
      const { user_ids } = await findMemberAccounts(tx, member_id);
      for (const user_id of user_ids)
        await deliverNotice(context, tx, { user_id, kind: 'match_proposed', match_id });
    }),
});
