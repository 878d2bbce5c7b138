import { findGreetingName, findMemberAccounts } from '#modules/access/accounts';
import { findJob } from '#modules/matching/jobs';
import { findMatch, type Match } from '#modules/matching/matches';
import { findMember, mayKeepMatches } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import { renderMail, type MailPart } from '#platform/mail-template.ts';
import { parallel_mails } from '#platform/mail.ts';
import { task } from '#platform/queue/task.ts';
import type { ReviewChange } from './events.ts';
import type { Review } from './rules.ts';
import { findAdministratorAddress, listReviews } from './store.ts';
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
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  group_by: ({ user_id }) => user_id,
  run: async ({ database, mailer, config }, data) => {
    const match = await findMatch(database, data.match_id);
    const review = match && (await findCurrentReview(database, match, data));
    const to = review && (await findAddress(database, match, data));
    const job = to && (await findJob(database, match.job_id));
    if (!job) return;
    const { subject, parts } = describeReview(config.publicUrl, data, { review, job_title: job.title });
    const name = await findGreetingName(database, data.user_id);
    await mailer.send({ to, ...renderMail({ subject, name, parts, publicUrl: config.publicUrl }) });
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
  if (side === 'organisation') return findAdministratorAddress(db, org_id, user_id);
  const { user_ids, emails } = await findMemberAccounts(db, member_id);
  return emails[user_ids.indexOf(user_id)] ?? undefined;
}

type Described = { readonly review: Review; readonly job_title: string };

function describeReview(
  publicUrl: string,
  { match_id, change, side }: Data,
  { review, job_title }: Described,
): { readonly subject: string; readonly parts: readonly MailPart[] } {
  const due_on = formatMailDate(review.due_at);
  if (side === 'member')
    return {
      subject: change === 'answered' ? 'Your review was answered' : 'Your review is overdue',
      parts: [
        change === 'answered'
          ? 'A person has answered your request for a review of the match with this job:'
          : `The organisation should have answered your request for a review by ${due_on}. It was reminded, and the operator of this service can see it. The request is about this job:`,
        { words: job_title },
        { link: `${publicUrl}/app/matches/${match_id}/review`, label: 'See the request', look: 'button' },
      ],
    };
  return {
    subject: {
      requested: 'A member asks for a human review',
      due_soon: 'A human review is due soon',
      overdue: 'A human review is overdue',
      answered: '',
    }[change],
    parts: [
      'A member asks that a person looks at a match with this job, and at what was decided:',
      { words: job_title },
      change === 'overdue'
        ? `The answer was due on ${due_on}. The member and the operator of this service can see that it is overdue.`
        : `Please answer by ${due_on}.`,
      { link: `${publicUrl}/app/reviews`, label: 'Read the request', look: 'button' },
    ],
  };
}

function formatMailDate(due_at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(formatDueDate(due_at)));
}
