import { listFollowers } from '#modules/matching/jobs';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { deliverNotice } from './deliver-notice.ts';
import type { MatchNoticeKind } from './rules.ts';

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
