import type { Role } from '#lib/caller.ts';

/**
 * A caller whose requests are counted together: a user in a role, or the network address of an anonymous caller. A member's requests of the
 * assessment are counted apart, as `assessment`.
 */
export type Subject = {
  readonly role: Role | 'anonymous' | 'assessment' | AddressLimit;
  readonly key: string;
};

/** What the authorization server for agents counts apart, by network address. */
export type AddressLimit = 'registration' | 'token_exchange';

/** Whether a request is allowed, and the headers of its reply in either case. */
export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

/** A quota of requests in a window of a few seconds, which starts with the first request. */
export type Window = { readonly name: 'minute' | 'day'; readonly quota: number; readonly seconds: number };

/** The number of requests that a subject has used in a window, and when the window ends (milliseconds since 1970). */
export type WindowUsage = { used: number; ends_ms: number };

/**
 * The limits of the specification (section 8) and of the design (section 5). A platform administrator has no daily limit, because bulk
 * repairs must not be blocked until the next day, and the limit per minute already restricts a stolen token.
 */
export const windowsByRole = {
  anonymous: [perMinute(40), perDay(20_000)],
  member: [perMinute(120), perDay(5_000)],
  // Twice the longest assessment, which has 120 items, with its repetitions. It leaves the member's other requests untouched.
  assessment: [perMinute(240), perDay(2_000)],
  org_viewer: [perMinute(60), perDay(2_000)],
  auditor: [perMinute(60), perDay(2_000)],
  org_admin: [perMinute(120), perDay(10_000)],
  platform_admin: [perMinute(600)],
  // The servers of a large AI client register and refresh for many people from a few addresses. What may register in all is limited as well.
  registration: [perMinute(30), perDay(5_000)],
  token_exchange: [perMinute(600), perDay(200_000)],
} as const satisfies Record<Subject['role'], readonly Window[]>;

/** The policy header by role, such as `"minute";q=120;w=60, "day";q=5000;w=86400`. */
const policyHeaders = Object.fromEntries(
  Object.entries(windowsByRole).map(([role, windows]) => [
    role,
    windows.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', '),
  ]),
) as Readonly<Record<Subject['role'], string>>;

/**
 * Builds the verdict with its headers, such as `RateLimit: "minute";r=119;t=60, "day";r=4999;t=86400`
 * (draft-ietf-httpapi-ratelimit-headers-11): `r` is the number of remaining requests, and `t` the seconds until the window ends. A refused
 * caller waits until all used-up windows have ended.
 */
export function buildVerdict(
  role: Subject['role'],
  spent: readonly WindowUsage[],
  now_ms: number,
  allowed: boolean,
): Verdict {
  const windows = windowsByRole[role];
  let remaining = '';
  let wait_s = 0;
  for (let index = 0; index < spent.length; index++) {
    const { name, quota } = windows[index]!;
    const { used, ends_ms } = spent[index]!;
    const reset_s = Math.max(1, Math.ceil((ends_ms - now_ms) / 1000));
    remaining += `${index === 0 ? '' : ', '}"${name}";r=${Math.max(0, quota - used)};t=${reset_s}`;
    if (used >= quota && reset_s > wait_s) wait_s = reset_s;
  }
  const headers = { 'ratelimit-policy': policyHeaders[role], ratelimit: remaining };
  return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(wait_s) } };
}

function perMinute(quota: number): Window {
  return { name: 'minute', quota, seconds: 60 };
}

function perDay(quota: number): Window {
  return { name: 'day', quota, seconds: 86_400 };
}
