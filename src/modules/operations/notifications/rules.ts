/** What a user can be emailed about in a match: the first concerns members, the next two users of organisations, and the last both. */
const matchNoticeKinds = ['match_proposed', 'match_accepted', 'match_declined', 'feedback_open'] as const;

export type MatchNoticeKind = (typeof matchNoticeKinds)[number];

/** What a member can be emailed about their own assessment, credentials and list of matches. */
export const memberNoticeKinds = [
  'results_ready',
  'assessment_unfinished',
  'credential_offered',
  'matches_found',
] as const;

export type MemberNoticeKind = (typeof memberNoticeKinds)[number];

/** What a member is emailed about at once or not at all, because it would be too late in a summary. */
const occasionalKinds = [...memberNoticeKinds, 'credential_revoked'] as const;

export type OccasionalKind = (typeof occasionalKinds)[number];

/** What a user can be emailed about. Reads of their data concern members. */
export const noticeKinds = [...matchNoticeKinds, 'data_read', ...occasionalKinds] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** How soon a user is emailed: at once, on Monday morning together with everything else of the week, or not at all. */
export const frequencies = ['immediately', 'weekly', 'never'] as const;

export type Frequency = (typeof frequencies)[number];

/** Whether a user gets an email that would be too late in a summary. */
export const occasions = ['immediately', 'never'] as const;

/** Whether a user asks for an email that is a summary in any case. */
export const summaries = ['weekly', 'never'] as const;

type SummaryKind = 'matches_found';

export type Settings = Readonly<Record<Exclude<NoticeKind, OccasionalKind | SummaryKind>, Frequency>> &
  Readonly<Record<Exclude<OccasionalKind, SummaryKind>, (typeof occasions)[number]>> &
  Readonly<Record<SummaryKind, (typeof summaries)[number]>>;

/** The settings of a user who has chosen none. A decline and a read need no reaction, so they wait for the digest; nobody has to do anything about new matches. */
export const defaultSettings: Settings = {
  match_proposed: 'immediately',
  match_accepted: 'immediately',
  match_declined: 'weekly',
  feedback_open: 'immediately',
  data_read: 'weekly',
  results_ready: 'immediately',
  assessment_unfinished: 'immediately',
  credential_offered: 'immediately',
  credential_revoked: 'immediately',
  matches_found: 'never',
};

const day_ms = 86_400_000;
const digest_hour = 7;
const monday = 1;

/** Computes when the next digest is due: the first Monday at 07:00 UTC after `now`. */
export function computeDigestTime(now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const days = (monday - now.getUTCDay() + 7) % 7;
  const due = midnight + days * day_ms + digest_hour * 3_600_000;
  return new Date(due > now.getTime() ? due : due + 7 * day_ms);
}

const reads_gathered_ms = 3_600_000;

/**
 * Computes when a read is reported to its member. Even those who want to know at once get at most one email an hour, because a popular member is
 * read more often than anyone reads emails.
 *
 * @param reportedAt When the latest email about reads was sent.
 */
export function computeReadNoticeTime(
  frequency: Exclude<Frequency, 'never'>,
  reportedAt: Date | undefined,
  now: Date,
): Date {
  if (frequency === 'weekly') return computeDigestTime(now);
  return new Date(Math.max(now.getTime(), (reportedAt?.getTime() ?? 0) + reads_gathered_ms));
}

/** A transaction that records a read is committed by then. The next email reports later ones. */
const commit_ms_max = 60_000;

/** Computes until when an email that is sent now reports reads. */
export function computeReportEnd(now: Date): Date {
  return new Date(now.getTime() - commit_ms_max);
}

const delays_ms: Readonly<Record<Exclude<MemberNoticeKind, SummaryKind>, number>> = {
  // Who is still at the screen needs no email.
  results_ready: 3_600_000,
  assessment_unfinished: 3 * day_ms,
  // Several offers of one occasion are one email.
  credential_offered: 600_000,
};

/** How long an email about an assessment is tried that the mail server refuses, or that was due while the service was down. */
const notice_tried_ms = 7 * day_ms;

/** Computes since when an email about an assessment must be due so that it is tried. */
export function computeOldestDue(now: Date): Date {
  return new Date(now.getTime() - notice_tried_ms);
}

/** Plans an email to a member about something that happened. */
export function planMemberNotice<Key extends { readonly kind: MemberNoticeKind }>(
  key: Key,
  happened_at: Date,
) {
  return { ...key, happened_at, due_at: computeMemberNoticeTime(key.kind, happened_at) };
}

/** Computes when a member is emailed about something that happened, or about what happens from then on if it is a summary. */
function computeMemberNoticeTime(kind: MemberNoticeKind, happened_at: Date): Date {
  if (kind === 'matches_found') return computeDigestTime(happened_at);
  return new Date(happened_at.getTime() + delays_ms[kind]);
}
