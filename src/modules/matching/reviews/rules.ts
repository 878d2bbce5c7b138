import { Refusal } from '#lib/refusal.ts';

/** What can become of a request for a human review. `ended`: the member has withdrawn the consent to matching, or has left. */
export const reviewStatuses = ['open', 'answered', 'withdrawn', 'ended'] as const;

export type ReviewStatus = (typeof reviewStatuses)[number];

/** What a person of the organisation has decided: the earlier decision stays, or becomes another. */
export const reviewOutcomes = ['upheld', 'changed'] as const;

export type ReviewOutcome = (typeof reviewOutcomes)[number];

/** A request for a human review of a match, and its answer. */
export type Review = {
  readonly number: number;
  readonly id: string;
  readonly status: ReviewStatus;
  readonly reason: string | null;
  readonly requested_at: Date;
  readonly due_at: Date;
  readonly next_notice_at: Date | null;
  readonly outcome: ReviewOutcome | null;
  readonly answer: string | null;
  readonly closed_at: Date | null;
};

/** How many requests a match can have. */
export const reviews_max = 3;

/** How many days the organisation has for an answer. */
export const answer_days = 14;

/** How many days before the end of the due date the organisation is reminded. */
const reminder_days = 4;

const day_ms = 86_400_000;

/**
 * Builds the request that follows earlier ones. It is due at the end of the day (UTC) that is `answer_days` after the day of the request.
 *
 * @throws Refusal `review_open`, `review_limit_reached`.
 */
export function buildReview(
  before: readonly Review[],
  { id, reason }: Pick<Review, 'id' | 'reason'>,
  now: Date,
): Review {
  if (before.some(({ status }) => status === 'open')) throw new Refusal('review_open');
  if (before.length >= reviews_max) throw new Refusal('review_limit_reached');
  const due_at = computeDueTime(now);
  return {
    number: before.length + 1,
    id,
    status: 'open',
    reason,
    requested_at: now,
    due_at,
    next_notice_at: new Date(due_at.getTime() - reminder_days * day_ms),
    outcome: null,
    answer: null,
    closed_at: null,
  };
}

function computeDueTime(now: Date): Date {
  return new Date(Math.floor(now.getTime() / day_ms) * day_ms + (answer_days + 1) * day_ms);
}

/** Says whether the organisation should have answered by now. */
export function isOverdue({ status, due_at }: Pick<Review, 'status' | 'due_at'>, now: Date): boolean {
  return status === 'open' && now >= due_at;
}

/** What a reminder says: that the date is near, or that it has passed. */
export type ReviewNotice = 'due_soon' | 'overdue';

/** Decides what is said now about an open request, and when something is said next: nothing after it has become overdue. */
export function decideNotice(
  { due_at }: Pick<Review, 'due_at'>,
  now: Date,
): { readonly notice: ReviewNotice; readonly next_notice_at: Date | null } {
  return now >= due_at
    ? { notice: 'overdue', next_notice_at: null }
    : { notice: 'due_soon', next_notice_at: due_at };
}

/** How the requests of an organisation in a period have ended. */
export type ReviewCounts = Readonly<
  Record<'requested' | 'open' | 'overdue' | 'answered_late' | 'withdrawn' | 'ended' | ReviewOutcome, number>
>;
