/** What a user can be emailed about: the first concerns members, the next two users of organisations, and the last both. */
export const noticeKinds = ['match_proposed', 'match_accepted', 'match_declined', 'feedback_open'] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** How soon a user is emailed: at once, on Monday morning together with everything else of the week, or not at all. */
export const frequencies = ['immediately', 'weekly', 'never'] as const;

export type Frequency = (typeof frequencies)[number];

export type Settings = Readonly<Record<NoticeKind, Frequency>>;

/** The settings of a user who has chosen none. A decline needs no reaction, so it waits for the digest. */
export const defaultSettings: Settings = {
  match_proposed: 'immediately',
  match_accepted: 'immediately',
  match_declined: 'weekly',
  feedback_open: 'immediately',
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
