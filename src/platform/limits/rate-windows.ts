import type { Role } from '#lib/caller.ts';

/** Whose requests are counted together: a user of a role, or a network address where nobody signed in. */
export type Subject = { readonly role: Role | 'anonymous'; readonly key: string };

/** Whether a request may go on, and the headers that its answer carries either way. */
export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

/** So many requests in a window of so many seconds, which begins with the first request. */
export type Window = { readonly name: 'minute' | 'day'; readonly quota: number; readonly seconds: number };

/** What one subject has used of one window, and when the window ends (milliseconds since 1970). */
export type WindowUsage = { used: number; ends_ms: number };

/**
 * The limits of the specification (section 8) and of the design (section 5). An administrator of the platform has no daily limit: whoever
 * repairs a thing in bulk must not be locked out until tomorrow, and the minute already bounds a stolen token.
 */
export const windowsByRole = {
  anonymous: [perMinute(40), perDay(20_000)],
  member: [perMinute(120), perDay(5_000)],
  org_viewer: [perMinute(60), perDay(2_000)],
  auditor: [perMinute(60), perDay(2_000)],
  org_admin: [perMinute(120), perDay(10_000)],
  platform_admin: [perMinute(600)],
} as const satisfies Record<Subject['role'], readonly Window[]>;

/** `"minute";q=120;w=60, "day";q=5000;w=86400`: the same in every answer to a role. */
const policyHeaders = Object.fromEntries(
  Object.entries(windowsByRole).map(([role, windows]) => [
    role,
    windows.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', '),
  ]),
) as Readonly<Record<Subject['role'], string>>;

/**
 * Tells a caller how much is left: `RateLimit: "minute";r=119;t=60, "day";r=4999;t=86400` (draft-ietf-httpapi-ratelimit-headers-11;
 * requests left, seconds until the window ends). A refused caller waits for the last of the windows that are used up.
 */
export function buildVerdict(
  role: Subject['role'],
  spent: readonly WindowUsage[],
  now_ms: number,
  allowed: boolean,
): Verdict {
  const windows = windowsByRole[role];
  let left = '';
  let wait_s = 0;
  for (let index = 0; index < spent.length; index++) {
    const { name, quota } = windows[index]!;
    const { used, ends_ms } = spent[index]!;
    const reset_s = Math.max(1, Math.ceil((ends_ms - now_ms) / 1000));
    left += `${index === 0 ? '' : ', '}"${name}";r=${Math.max(0, quota - used)};t=${reset_s}`;
    if (used >= quota && reset_s > wait_s) wait_s = reset_s;
  }
  const headers = { 'ratelimit-policy': policyHeaders[role], ratelimit: left };
  return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(wait_s) } };
}

function perMinute(quota: number): Window {
  return { name: 'minute', quota, seconds: 60 };
}

function perDay(quota: number): Window {
  return { name: 'day', quota, seconds: 86_400 };
}
