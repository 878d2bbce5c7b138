import type { OrgRole } from '#lib/caller.ts';

/** How long an invitation can be accepted after its last mail. */
export const invitation_days = 7;

/** How many people an organisation can have, invitations included. */
export const users_max = 200;

/** How many invitations an organisation can have mailed in a day: more would be a way to have us write to strangers. */
const mails_per_day_max = 100;
const day_ms = 86_400_000;

/** How long after one mail the next one to the same person can go. */
const resend_wait_ms = 10 * 60_000;

/** When an invitation that is mailed now ends. */
export function computeExpiry(now: Date): Date {
  return new Date(now.getTime() + invitation_days * day_ms);
}

/** From when on mails count for the limit of a day. */
export function computeDayBefore(now: Date): Date {
  return new Date(now.getTime() - day_ms);
}

/** What an organisation had mailed since {@link computeDayBefore}, and when the first of it was. */
export type RecentMails = { readonly mails: number; readonly first_sent_at: Date | null };

/** Seconds to wait before an organisation may have another invitation mailed; 0 where it may now. */
export function computeOrganisationWaitSeconds({ mails, first_sent_at }: RecentMails, now: Date): number {
  if (mails < mails_per_day_max || first_sent_at === null) return 0;
  return computeSecondsUntil(first_sent_at.getTime() + day_ms, now);
}

/** Seconds to wait before an invitation that was mailed at a time may be mailed again; 0 where it may now. */
export function computeResendWaitSeconds(sent_at: Date, now: Date): number {
  return computeSecondsUntil(sent_at.getTime() + resend_wait_ms, now);
}

function computeSecondsUntil(time_ms: number, now: Date): number {
  return Math.max(0, Math.ceil((time_ms - now.getTime()) / 1000));
}

/** What somebody of an organisation is there for, in a mail. */
export const roleWords: Readonly<Record<OrgRole, string>> = {
  org_admin: 'an administrator',
  org_viewer: 'a viewer',
  auditor: 'an auditor',
};

const name_characters_max = 80;

/**
 * An organisation's name as it may stand in a mail to a stranger: one line, not long, and nothing that a mail program would make a link of,
 * because whoever registers an organisation names it.
 */
export function toPlainName(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim();
  const characters = Array.from(line).slice(0, name_characters_max).join('');
  return characters.replace(/([.:/@\u3002\uFF0E\uFF61])(?=\S)/gu, '$1 ');
}
