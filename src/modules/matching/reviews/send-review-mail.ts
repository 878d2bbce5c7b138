import { findGreetingName, findMemberAccounts, findReachableUser } from '#modules/access/accounts';
import { findJob } from '#modules/matching/jobs';
import { findMatch, type Match } from '#modules/matching/matches';
import { buildReviewMail, mailTask, sendMail } from '#modules/operations/mail';
import { findMember, mayKeepMatches } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import type { ReviewChange } from './events.ts';
import type { Review } from './rules.ts';
import { listReviews } from './store.ts';
import { formatDueDate } from './wire.ts';

type Data = {
  readonly review_id: string;
  readonly match_id: string;
  readonly change: ReviewChange;
  readonly user_id: string;
  readonly side: 'member' | 'organisation';
};

/**
 * Sends an email about a request for a human review, unless it is no longer true. Nobody can turn these emails off: a right with a date is no
 * right if the other side does not read of it.
 */
export const sendReviewMail = task<Data>({
  name: 'reviews.sendReviewMail',
  ...mailTask,
  group_by: ({ user_id }) => user_id,
  run: async (context, data) => {
    const { database, config } = context;
    const match = await findMatch(database, data.match_id);
    const review = match && (await findCurrentReview(database, match, data));
    const email = review && (await findAddress(database, match, data));
    const job = email && (await findJob(database, match.job_id));
    if (!job) return;
    const { match_id, change, side, user_id } = data;
    const due_on = formatMailDate(review.due_at);
    const facts = { match_id, change, side, due_on, job_title: job.title };
    const name = await findGreetingName(database, user_id);
    await sendMail(context, { email, name }, buildReviewMail(config.publicUrl, facts));
  },
});

async function findCurrentReview(
  db: Reader,
  match: Match,
  { review_id, change }: Data,
): Promise<Review | undefined> {
  const [reviews, member] = await Promise.all([listReviews(db, match), findMember(db, match.member_id)]);
  const status = change === 'answered' ? 'answered' : 'open';
  const isAvailable = member?.account_status === 'active' && mayKeepMatches(member);
  return isAvailable ? reviews.find((each) => each.id === review_id && each.status === status) : undefined;
}

async function findAddress(
  db: Reader,
  { org_id, member_id }: Match,
  { user_id, side }: Data,
): Promise<string | undefined> {
  if (side === 'organisation') {
    const user = await findReachableUser(db, { org_id, user_id });
    return user?.is_admin ? user.email : undefined;
  }
  const { user_ids, emails } = await findMemberAccounts(db, member_id);
  return emails[user_ids.indexOf(user_id)] ?? undefined;
}

function formatMailDate(due_at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(formatDueDate(due_at)));
}
