import type { InvitationState, Partner } from '#modules/matching/candidates';
import type { MatchQuality } from '#modules/matching/engine';
import type { Match } from '#modules/matching/matches';

/** An order of an applicant tracking system: a person is invited to a job, and the system gets the result. */
export type Order = {
  readonly invitation_id: string;
  readonly org_id: string;
  readonly partner: Partner;
  readonly callback_url: string;
  /** The name of the view that the system was informed of last: {@link nameView}. */
  readonly announced: string;
  /** Whether a result was ever announced. */
  readonly had_result: boolean;
  readonly cancelled_at: Date | null;
  readonly created_at: Date;
};

/** Where the key of an organisation at an applicant tracking system is accepted. */
export type Connection = {
  readonly org_id: string;
  readonly partner: Partner;
  readonly origin: string;
  readonly key_sealed: Buffer;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Where each system takes results, unless an organisation names another origin. */
export const defaultOrigins: Readonly<Record<Partner, string>> = {
  greenhouse: 'https://app.greenhouse.io',
  ashby: 'https://api.ashbyhq.com',
};

type Result = { readonly match_id: string; readonly job_id: string } & Pick<
  Match,
  'match_quality' | 'provisional'
>;

/** What a system may know of an order. `recalled`: the person takes part, and a result that was announced no longer holds. */
export type View =
  | { readonly state: Exclude<InvitationState, 'accepted'> | 'accepted' | 'recalled' }
  | { readonly state: 'complete'; readonly result: Result };

/** The facts of which a view is a part. */
export type OrderFacts = {
  /** The status of the invitation; undefined once it was deleted. */
  readonly status: InvitationState | undefined;
  readonly match: Match | undefined;
  /** Whether the person agrees to matching now, is measured, and the organisation may read its matches. */
  readonly isReadable: boolean;
};

/** The statuses of a match by which one side has ended it for the other. */
const hiddenStatuses: ReadonlySet<Match['match_status']> = new Set([
  'member_declined',
  'expired',
  'withdrawn',
]);

/** Decides what a system may know of an order now. A result needs the acceptance, which agrees to it, and a match that the organisation itself may read. */
export function decideView(
  { cancelled_at, had_result }: Pick<Order, 'cancelled_at' | 'had_result'>,
  { status, match, isReadable }: OrderFacts,
): View {
  if (cancelled_at !== null) return { state: 'cancelled' };
  if (status === undefined) return { state: 'withdrawn' };
  if (status !== 'accepted') return { state: status };
  if (!match || !isReadable || hiddenStatuses.has(match.match_status))
    return { state: had_result ? 'recalled' : 'accepted' };
  const { id: match_id, job_id, match_quality, provisional } = match;
  return { state: 'complete', result: { match_id, job_id, match_quality, provisional } };
}

/** Names a view, so that two views differ if and only if a system would be informed of the second after the first. */
export function nameView(view: View): string {
  if (view.state !== 'complete') return view.state;
  const { match_quality, provisional } = view.result;
  return `complete ${match_quality}${provisional ? ' provisional' : ''}`;
}

/** Decides what a system reads: a result only once it was announced, so that the announcement of its end can follow. */
export function decideToldView(
  view: View,
  { announced, had_result }: Pick<Order, 'announced' | 'had_result'>,
): View {
  if (view.state !== 'complete' || nameView(view) === announced) return view;
  return { state: had_result ? 'recalled' : 'accepted' };
}

const finalStates: ReadonlySet<View['state']> = new Set(['declined', 'withdrawn', 'expired', 'cancelled']);

/** Whether nothing can follow a view. */
export function isFinal({ state }: View): boolean {
  return finalStates.has(state);
}

const tierWords: Readonly<Record<MatchQuality, string>> = {
  exceptional: 'Exceptional match',
  strong: 'Strong match',
  moderate: 'Moderate match',
  developing: 'Developing match',
};

/** Describes a tier in words. */
export function describeTier({ match_quality }: Pick<Match, 'match_quality'>): string {
  return tierWords[match_quality];
}

export const provisional_note =
  'Provisional: the tier may change when more people have answered the assessment.';

/** What each state means, for the recruiter who reads it in the system. */
export const stateWords: Readonly<Record<Exclude<View['state'], 'complete'>, string>> = {
  sent: 'The invitation was sent.',
  accepted: 'The person takes part. A result follows if their answers and consents make a match.',
  recalled: 'The result was withdrawn and no longer holds.',
  declined: 'The person declined the invitation.',
  withdrawn: 'The person no longer takes part. A result that you had no longer holds.',
  expired: 'The invitation expired without an answer.',
  cancelled: 'The invitation was cancelled.',
};

/**
 * Whether a new request for the same order is a new order: after an end that nobody decided who was invited. Otherwise it is a repetition.
 */
export function isReplaceable({ announced }: Pick<Order, 'announced'>): boolean {
  return announced === 'expired' || announced === 'cancelled';
}
