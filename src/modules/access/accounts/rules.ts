import { readOutsideValue } from '#lib/outside-values.ts';
import { computeWaitSeconds } from '#lib/wait-window.ts';
import type { Role } from '#lib/caller.ts';

/** The roles that anyone may register with. An organisation or the operator assigns the others. */
export const registerableRoles = ['member', 'org_admin'] as const satisfies readonly Role[];

/**
 * An email address that mail servers accept: RFC 5321 atoms and a domain of at least two labels, international domains in their ASCII form.
 * Only ASCII, so that no two addresses look the same; no commas or brackets, so that an email header cannot contain a second address.
 */
export const emailPattern =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@" +
  '(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$';

export const email_characters_max = 254;

const emailExpression = new RegExp(emailPattern);

/** Whether a text is an email address that an account can have. */
export function isEmail(text: string): boolean {
  return text.length <= email_characters_max && emailExpression.test(text);
}

/** Converts an email address to the spelling in which it is stored and compared. */
export function toCanonicalEmail(email: string): string {
  return readOutsideValue('email', email);
}

/** Everything that a user can log in with: the email address and the handle, each if there is one. */
export function listLoginNames(user: {
  readonly email: string | null;
  readonly handle: string | null;
}): readonly string[] {
  return [user.email ?? [], user.handle === null ? [] : `@${user.handle}`].flat();
}

/** What a user logs in with, for people and password managers to read: the email address, or else the handle. */
export function toLoginName({
  email,
  handle,
}: {
  readonly email: string | null;
  readonly handle: string | null;
}): string {
  return email ?? `@${handle ?? ''}`;
}

const password_characters_min = 12;
export const password_characters_max = 256;

const passwordParts: readonly (readonly [expression: RegExp, reason: string])[] = [
  [/\p{Lu}/u, 'needs an uppercase letter'],
  [/\p{Ll}/u, 'needs a lowercase letter'],
  [/\p{Nd}/u, 'needs a digit'],
  [/[^\p{L}\p{M}\p{N}]/u, 'needs a special character'],
];

/** Lists the reasons why a password fails the specification's rule; empty if it meets the rule. Characters are code points. */
export function listPasswordFaults(password: string): readonly string[] {
  const characters = Array.from(password).length;
  return [
    ...(characters < password_characters_min ? [`needs at least ${password_characters_min} characters`] : []),
    ...(characters > password_characters_max
      ? [`must have at most ${password_characters_max} characters`]
      : []),
    ...passwordParts.filter(([expression]) => !expression.test(password)).map(([, reason]) => reason),
  ];
}

/** What the database stores about a refresh token and its session. */
export type PresentedRefreshToken = {
  readonly used_at: Date | null;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly suspended_at: Date | null;
};

/**
 * Decides what to do with a presented refresh token. `reused` has precedence: a token that is used twice has two holders, so its whole
 * family is revoked, even if the token is also expired, unless {@link isLostReply}.
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

/** How long a refresh may be repeated. Browsers and proxies repeat at once, and clients after a short timeout. */
export const repeat_seconds = 10;

/**
 * Whether a used refresh token may be presented because the reply with its successor was lost, or because one client refreshed twice at once: its
 * use was a few seconds ago, and nobody has used the successor. Otherwise two holders have gone on, and one of them is a thief.
 */
export function isLostReply(
  used: PresentedRefreshToken,
  successor: PresentedRefreshToken | undefined,
  now: Date,
): boolean {
  const age_ms = used.used_at === null ? Infinity : now.getTime() - used.used_at.getTime();
  return age_ms < repeat_seconds * 1000 && judgeRefreshToken(successor, now) === 'rotate';
}

/** How long an emailed link that verifies an address is valid. */
export const verification_hours = 24;

const mails_per_hour_max = 5;
const hour_ms = 3_600_000;

/** Computes the seconds until another email may be sent to a user, after emails at these times; 0 if it may be sent now. */
export function computeMailWaitSeconds(sent_at: readonly Date[], now: Date): number {
  return computeWaitSeconds(sent_at, { events_max: mails_per_hour_max, window_ms: hour_ms }, now);
}

/** How long an emailed link to choose a new password is valid. */
export const reset_minutes = 30;

/** How long an MFA ticket is valid. */
export const ticket_seconds = 300;

/** After this many wrong codes, the user must enter the password again. */
const ticket_failures_max = 5;

/** What the database stores about a presented MFA ticket. */
export type PresentedTicket = {
  readonly expires_at: Date;
  readonly used_at: Date | null;
  readonly failures: number;
};

/** Whether an MFA ticket can still be used. */
export function isTicketUsable(ticket: PresentedTicket, now: Date): boolean {
  return ticket.used_at === null && ticket.expires_at > now && ticket.failures < ticket_failures_max;
}
