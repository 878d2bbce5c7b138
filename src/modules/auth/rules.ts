import { computeWaitSeconds } from '#lib/wait-window.ts';
import type { Role } from '#lib/caller.ts';

/** The roles that a stranger may register with; the others are given by an organisation or an operator. */
export const registerableRoles = ['member', 'org_admin'] as const satisfies readonly Role[];

/** What a member without a name is called. Not the e-mail's local part: it is often a real name, and was given for mail only. */
export const unnamedMember = 'Member';

/**
 * An address as mail servers take it: RFC 5321 atoms, a domain of at least two labels, international domains in their ASCII form. ASCII
 * alone, so that no two spellings look alike; no comma or bracket, so that one address cannot become two in a mail's header.
 */
export const emailPattern =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@" +
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$';

export const email_characters_max = 254;

const emailExpression = new RegExp(emailPattern);

/** Whether a text is an address that an account can have. */
export function isEmail(text: string): boolean {
  return text.length <= email_characters_max && emailExpression.test(text);
}

/** The one spelling under which an address is stored and compared. */
export function toCanonicalEmail(email: string): string {
  return email.toLowerCase();
}

const password_characters_min = 12;
export const password_characters_max = 256;

const passwordParts: readonly (readonly [expression: RegExp, reason: string])[] = [
  [/\p{Lu}/u, 'needs an uppercase letter'],
  [/\p{Ll}/u, 'needs a lowercase letter'],
  [/\p{Nd}/u, 'needs a digit'],
  [/[^\p{L}\p{M}\p{N}]/u, 'needs a special character'],
];

/** Every part of the specification's rule that a password fails, as reasons; empty where it meets the rule. Characters are code points. */
export function listPasswordFaults(password: string): readonly string[] {
  const characters = Array.from(password).length;
  return [
    ...(characters < password_characters_min ? [`needs at least ${password_characters_min} characters`] : []),
    ...(characters > password_characters_max ? [`has at most ${password_characters_max} characters`] : []),
    ...passwordParts.filter(([expression]) => !expression.test(password)).map(([, reason]) => reason),
  ];
}

/** What the store knows of a refresh token and of its session. */
export type PresentedRefreshToken = {
  readonly used_at: Date | null;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly suspended_at: Date | null;
};

/**
 * What becomes of a presented refresh token. `reused` comes before everything else: a token that was replaced is in two hands, so its
 * whole family ends, whatever else is wrong with it. There is no time of grace: whoever refreshes twice at once logs in again, because a
 * thief who is quick looks just the same.
 */
export function judgeRefreshToken(
  token: PresentedRefreshToken | undefined,
  now: Date,
): 'rotate' | 'reused' | 'invalid' | 'suspended' {
  if (token === undefined) return 'invalid';
  if (token.used_at !== null) return 'reused';
  if (token.revoked_at !== null || token.expires_at <= now) return 'invalid';
  return token.suspended_at === null ? 'rotate' : 'suspended';
}

/** How long a mailed link to confirm an address works. */
export const verification_hours = 24;

const mails_per_hour_max = 5;
const hour_ms = 3_600_000;

/** Seconds to wait before another mail may go to a user who was sent mails at these times; 0 where it may go now. */
export function computeMailWaitSeconds(sent_at: readonly Date[], now: Date): number {
  return computeWaitSeconds(sent_at, { events_max: mails_per_hour_max, window_ms: hour_ms }, now);
}

/** How long a mailed link to choose another password works. */
export const reset_minutes = 30;

/** How long the second step of a login may take. */
export const ticket_seconds = 300;

/** So many wrong codes, and the password has to be given again. */
const ticket_failures_max = 5;

/** What the store knows of a presented ticket. */
export type PresentedTicket = {
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly failures: number;
};

/** Whether a ticket of a login can still be used. */
export function isTicketUsable(ticket: PresentedTicket, now: Date): boolean {
  return ticket.used_at === null && ticket.expires_at > now && ticket.failures < ticket_failures_max;
}
