import { findMemberAccounts, listAdministrators } from '#modules/access/accounts';
import { task } from '#platform/queue/task.ts';
import type { ReviewChange } from './events.ts';
import { sendReviewMail } from './send-review-mail.ts';

type Data = {
  readonly review_id: string;
  readonly match_id: string;
  readonly job_id: string;
  readonly org_id: string;
  readonly member_id: string;
  readonly change: ReviewChange;
};

const administrators_max = 20;

/** Queues the emails about a request: to the administrators until it is answered, and to the member when it is overdue or answered. */
export const notifyOfReview = task<Data>({
  name: 'reviews.notifyOfReview',
  retry_seconds: [10, 60, 300],
  group_by: ({ org_id }) => org_id,
  run: ({ database, queue }, { review_id, match_id, org_id, member_id, change }) =>
    database.transaction(async (tx) => {
      const notice = { review_id, match_id, change };
      if (change !== 'answered')
        for (const user_id of await listAdministrators(tx, org_id, administrators_max))
          await queue.send(tx, sendReviewMail, { ...notice, user_id, side: 'organisation' });
      if (change === 'answered' || change === 'overdue')
        for (const user_id of (await findMemberAccounts(tx, member_id)).user_ids)
          await queue.send(tx, sendReviewMail, { ...notice, user_id, side: 'member' });
    }),
});
