import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Review, ReviewCounts, ReviewStatus } from './rules.ts';

/** What finds a match and all that belongs to it, on the node of its job. */
export type MatchPlace = { readonly id: string; readonly job_id: string };

const columns = sql`number, id, status, reason, requested_at, due_at, next_notice_at, outcome, answer, closed_at`;

/** Lists the requests about a match, the oldest first: at most three. */
export function listReviews(db: Reader, { id, job_id }: MatchPlace): Promise<Review[]> {
  return db.list(sql<Review>`
    select ${columns} from match_reviews where job_id = ${job_id} and match_id = ${id} order by number`);
}

/** Locks the open request about a match. */
export function lockOpenReview(tx: Transaction, { id, job_id }: MatchPlace): Promise<Review | undefined> {
  return tx.find(sql<Review>`
    select ${columns} from match_reviews where job_id = ${job_id} and match_id = ${id} and status = 'open' for update`);
}

/** Adds a request. @returns false, and adds nothing, if another one was added meanwhile. */
export async function insertReview(
  tx: Transaction,
  { id, job_id, org_id }: MatchPlace & { readonly org_id: string },
  review: Review,
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into match_reviews (job_id, match_id, number, id, org_id, status, reason, requested_at, due_at, next_notice_at)
    values (${job_id}, ${id}, ${review.number}, ${review.id}, ${org_id}, ${review.status}, ${review.reason},
      ${review.requested_at}, ${review.due_at}, ${review.next_notice_at})
    on conflict do nothing`);
  return added > 0;
}

/** Stores what has become of a request that the transaction has locked. */
export async function updateReview(
  tx: Transaction,
  { id, job_id }: MatchPlace,
  { number, status, next_notice_at, outcome, answer, closed_at }: Review,
): Promise<void> {
  await tx.run(sql`
    update match_reviews set status = ${status}, next_notice_at = ${next_notice_at}, outcome = ${outcome}, answer = ${answer},
      closed_at = ${closed_at}
    where job_id = ${job_id} and match_id = ${id} and number = ${number}`);
}

/** A request in the list of an organisation. */
export type ListedReview = Review & {
  readonly match_id: string;
  readonly job_id: string;
  readonly job_title: string;
};

/** Which requests of an organisation are listed. */
export type ReviewFilter = { readonly org_id: string; readonly status?: ReviewStatus | undefined };

/** A place in such a list. */
export type ReviewPlace = readonly [due_at: string, id: string];

/** Lists the requests to an organisation: open ones by due date, others the newest first. */
export function listOrganisationReviews(
  db: Reader,
  { org_id, status }: ReviewFilter,
  after: ReviewPlace | undefined,
  limit: number,
): Promise<ListedReview[]> {
  const isOpen = status === 'open';
  const ofStatus = status === undefined ? emptySql : sql`and status = ${status}`;
  const place = after && sql`(${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const from = place
    ? isOpen
      ? sql`and (due_at, match_reviews.id) > ${place}`
      : sql`and (due_at, match_reviews.id) < ${place}`
    : emptySql;
  const order = isOpen ? sql`due_at, match_reviews.id` : sql`due_at desc, match_reviews.id desc`;
  return db.list(sql<ListedReview>`
    select number, match_reviews.id, status, reason, requested_at, due_at, next_notice_at, outcome, answer, closed_at, match_id, job_id,
      title as job_title
    from match_reviews join job_outlines on job_outlines.id = job_id
    where match_reviews.org_id = ${org_id} ${ofStatus} ${from}
    order by ${order} limit ${limit}`);
}

/** Counts the requests of such a list. */
export async function countOrganisationReviews(
  db: Reader,
  { org_id, status }: ReviewFilter,
): Promise<number> {
  const ofStatus = status === undefined ? emptySql : sql`and status = ${status}`;
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from match_reviews where org_id = ${org_id} ${ofStatus}`);
  return count;
}

/** Counts how the requests have ended that were made to an organisation in a period. */
export function countReviews(
  db: Reader,
  org_id: string,
  { from, until, now }: { readonly from: Date; readonly until: Date; readonly now: Date },
): Promise<ReviewCounts> {
  return db.one(sql<ReviewCounts>`
    select count(*) as requested,
      count(*) filter (where status = 'open') as open,
      count(*) filter (where status = 'open' and due_at <= ${now}) as overdue,
      count(*) filter (where status = 'answered' and closed_at >= due_at) as answered_late,
      count(*) filter (where status = 'withdrawn') as withdrawn,
      count(*) filter (where status = 'ended') as ended,
      count(*) filter (where outcome = 'upheld') as upheld,
      count(*) filter (where outcome = 'changed') as changed
    from match_reviews where org_id = ${org_id} and requested_at >= ${from} and requested_at < ${until}`);
}

/** Lists the requests that were made to an organisation in a period, the latest first. */
export function listReviewLog(
  db: Reader,
  org_id: string,
  { from, until, limit }: { readonly from: Date; readonly until: Date; readonly limit: number },
): Promise<Review[]> {
  return db.list(sql<Review>`
    select ${columns} from match_reviews
    where org_id = ${org_id} and requested_at >= ${from} and requested_at < ${until}
    order by requested_at desc, id desc limit ${limit}`);
}

/** Lists the matches with a request that have a notice to send, the longest waiting first. */
export function listDueNotices(
  db: Reader,
  now: Date,
  limit: number,
): Promise<{ readonly match_id: string; readonly job_id: string }[]> {
  return db.list(sql<{ match_id: string; job_id: string }>`
    select match_id, job_id from match_reviews where next_notice_at <= ${now}
    order by next_notice_at, job_id, match_id limit ${limit}`);
}

/** A request that should have been answered. */
export type OverdueReview = {
  readonly id: string;
  readonly org_id: string;
  readonly organisation: string;
  readonly requested_at: Date;
  readonly due_at: Date;
};

/** Lists the overdue requests to all organisations, the longest overdue first. */
export function listOverdueReviews(
  db: Reader,
  now: Date,
  after: ReviewPlace | undefined,
  limit: number,
): Promise<OverdueReview[]> {
  const from = after
    ? sql`and (due_at, match_reviews.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : emptySql;
  return db.list(sql<OverdueReview>`
    select match_reviews.id, org_id, name as organisation, requested_at, due_at
    from match_reviews join organisation_names on organisation_names.id = org_id
    where status = 'open' and due_at <= ${now} ${from} order by due_at, match_reviews.id limit ${limit}`);
}

export function countOverdueReviews(db: Reader, now: Date): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from match_reviews where status = 'open' and due_at <= ${now}`);
}

/** Lists the requests about matches for the member's copy of the data. */
export function exportReviews(
  db: Reader,
  matches: readonly MatchPlace[],
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select match_reviews.match_id, status, reason, requested_at, due_at, outcome, answer, closed_at
    from unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_reviews on match_reviews.job_id = own.job_id and match_reviews.match_id = own.id
    order by requested_at, match_reviews.match_id, number`);
}

/** Deletes the requests about matches. */
export async function deleteReviews(tx: Transaction, matches: readonly MatchPlace[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.run(sql`
    delete from match_reviews using unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as gone (job_id, id)
    where match_reviews.job_id = gone.job_id and match_reviews.match_id = gone.id`);
}

/** Lists those of the matches that have an open request. */
export function listOpenPlaces(db: Reader, matches: readonly MatchPlace[]): Promise<MatchPlace[]> {
  return db.list(sql<MatchPlace>`
    select match_reviews.match_id as id, match_reviews.job_id
    from unnest(${matches.map(({ job_id }) => job_id)}::uuid[], ${matches.map(({ id }) => id)}::uuid[]) as own (job_id, id)
      join match_reviews on match_reviews.job_id = own.job_id and match_reviews.match_id = own.id and status = 'open'`);
}
