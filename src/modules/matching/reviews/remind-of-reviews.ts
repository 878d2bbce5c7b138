import { findMatch } from '#modules/matching/matches';
import { findMember, mayKeepMatches } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { reviewChanged } from './events.ts';
import { decideNotice } from './rules.ts';
import { listDueNotices, lockOpenReview, updateReview } from './store.ts';

const batch_reviews = 200;

/** Reminds organisations of requests whose due date is near, and tells both sides when it has passed. It runs every hour. */
export const remindOfReviews = task({
  name: 'reviews.remindOfReviews',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '23 * * * *',
  run: async (context) => {
    const { database, now, signal } = context;
    // Each round removes what it lists, or moves it into the future.
    for (;;) {
      const due = await listDueNotices(database, now(), batch_reviews);
      for (const { match_id, job_id } of due) {
        signal.throwIfAborted();
        await database.transaction((tx) => sendReminder(context, tx, { id: match_id, job_id }));
      }
      if (due.length < batch_reviews) return;
    }
  },
});

/** Says once what is due, whichever process is first: the request is locked, and waits for its next notice in the same transaction. */
async function sendReminder(
  { queue, now }: Pick<TaskContext, 'queue' | 'now'>,
  tx: Transaction,
  place: { readonly id: string; readonly job_id: string },
): Promise<void> {
  const review = await lockOpenReview(tx, place);
  if (!review?.next_notice_at || review.next_notice_at > now()) return;
  const { notice, next_notice_at } = decideNotice(review, now());
  await updateReview(tx, place, { ...review, next_notice_at });
  const match = await findMatch(tx, place.id);
  const member = match && (await findMember(tx, match.member_id));
  if (!match || !member || !mayKeepMatches(member)) return;
  const { id: match_id, job_id, org_id, member_id } = match;
  await queue.emit(tx, reviewChanged, {
    review_id: review.id,
    match_id,
    job_id,
    org_id,
    member_id,
    change: notice,
  });
}
