import type { OrgRole } from '#lib/caller.ts';
import { computeWaitSeconds } from '#lib/wait-window.ts';

/** A user or an open invitation of an organisation. */
export type OrgUser = {
  readonly id: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly role: OrgRole;
  readonly status: 'active' | 'invited' | 'suspended';
  readonly created_at: Date;
  readonly last_login: Date | null;
  readonly expires_at: Date | null;
};

/** How long an invitation can be accepted after its last email. */
export const invitation_days = 7;

/** How many users an organisation can have, open invitations included. */
export const users_max = 200;

/** How many invitations an organisation can send in a day: without a limit, it could have the service send spam. */
const mails_per_day_max = 100;
const day_ms = 86_400_000;

/** The least time between two emails for one invitation. */
const resend_wait_ms = 10 * 60_000;

/** The time at which an invitation that is sent now expires. */
export function computeExpiry(now: Date): Date {
  return new Date(now.getTime() + invitation_days * day_ms);
}

/** The time from which emails count for the daily limit. */
export function computeDayBefore(now: Date): Date {
  return new Date(now.getTime() - day_ms);
}

/** The number of emails for an organisation since {@link computeDayBefore}, and when the first was sent. */
export type RecentMails = { readonly mails: number; readonly first_sent_at: Date | null };

/** Seconds until an organisation may send another invitation; 0 if it may now. */
export function computeOrganisationWaitSeconds({ mails, first_sent_at }: RecentMails, now: Date): number {
  if (mails < mails_per_day_max || first_sent_at === null) return 0;
  return computeWaitSeconds([first_sent_at], { events_max: 1, window_ms: day_ms }, now);
}

/** Seconds until an invitation that was last sent at a time may be sent again; 0 if it may now. */
export function computeResendWaitSeconds(sent_at: Date, now: Date): number {
  return computeWaitSeconds([sent_at], { events_max: 1, window_ms: resend_wait_ms }, now);
}

/** The roles as an email names them. */
export const roleWords: Readonly<Record<OrgRole, string>> = {
  org_admin: 'an administrator',
  org_viewer: 'a viewer',
  auditor: 'an auditor',
};
