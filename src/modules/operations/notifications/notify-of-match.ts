import { listFollowers } from '#modules/matching/jobs';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { deliverNotice } from './deliver-notice.ts';
import type { MatchNoticeKind } from './rules.ts';
import { findMemberAccounts } from '#modules/access/accounts';

type Data = { readonly match_id: string; readonly job_id: string; readonly org_id: string };

/** Tells those who follow a job that a member accepted. */
export const notifyOfAcceptance = task<Data>({
  name: 'notifications.notifyOfAcceptance',
  retry_seconds: [10, 60, 300],
  group_by: ({ org_id }) => org_id,
  run: (context, data) => notifyFollowers(context, 'match_accepted', data),
});

/** Tells those who follow a job that a member declined. */
export const notifyOfDecline = task<Data>({
  name: 'notifications.notifyOfDecline',
  retry_seconds: [10, 60, 300],
  group_by: ({ org_id }) => org_id,
  run: (context, data) => notifyFollowers(context, 'match_declined', data),
});

function notifyFollowers(
  context: TaskContext,
  kind: MatchNoticeKind,
  { match_id, job_id, org_id }: Data,
): Promise<void> {
  return context.database.transaction(async (tx) => {
    for (const user_id of await listFollowers(tx, job_id, org_id))
      await deliverNotice(context, tx, { user_id, kind, match_id });
  });
}

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

/** Tells the member, and the administrators who follow the job, that feedback on a placement is open. */
export const notifyOfFeedback = task<Data & { readonly member_id: string }>({
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
