import { findMemberAccounts } from '#modules/access/accounts';
import { listFollowers } from '#modules/matching/jobs';
import { task } from '#platform/queue/task.ts';
import { deliverNotice } from './deliver-notice.ts';

type Data = {
  readonly match_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly member_id: string;
};

/** Tells the member, and the administrators who follow the job, that feedback on a placement is open. */
export const notifyOfFeedback = task<Data>({
  name: 'notifications.notifyOfFeedback',
  retry_seconds: [10, 60, 300],
  group_by: ({ org_id }) => org_id,
  run: (context, { match_id, job_id, org_id, member_id }) =>
    context.database.transaction(async (tx) => {
      const { user_ids } = await findMemberAccounts(tx, member_id);
      const followers = await listFollowers(tx, job_id, org_id);
      for (const user_id of [...user_ids, ...followers])
        await deliverNotice(context, tx, { user_id, kind: 'feedback_open', match_id });
    }),
});
