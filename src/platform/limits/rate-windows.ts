import type { Role } from '#lib/caller.ts';

/** A caller whose requests are counted together: a user, or a network address. */
export type Subject = { readonly limit: Limit; readonly key: string };

/** A quota that has a name of its own. What is counted under one name does not count under another. */
export type Limit = {
  readonly name: string;
  readonly windows: readonly Window[];
  /** The policy header, such as `"minute";q=120;w=60, "day";q=5000;w=86400`. */
  readonly policy: string;
  /** Set if network addresses are counted: how many groups of 16 bits of an IPv6 address are one network. */
  readonly address_groups?: number;
};

/** Whether a request is allowed, and the headers of its reply in either case. */
export type Verdict = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

/** A quota of requests in a window of a few seconds, which starts with the first request. */
export type Window = { readonly name: 'minute' | 'day'; readonly quota: number; readonly seconds: number };

/** The number of requests that a subject has used in a window, and when the window ends (milliseconds since 1970). */
export type WindowUsage = { used: number; ends_ms: number };

/** Defines a limit that a row of a table may bring along, so that requests of that row are counted apart. */
export function defineLimit(
  name: string,
  windows: readonly Window[],
  options: Pick<Limit, 'address_groups'> = {},
): Limit {
  const policy = windows.map((each) => `"${each.name}";q=${each.quota};w=${each.seconds}`).join(', ');
  return { name, windows, policy, ...options };
}

/**
 * The limits of the specification (section 8) and of the design (section 5). A platform administrator has no daily limit, because bulk
 * repairs must not be blocked until the next day, and the limit per minute already restricts a stolen token.
 *
 * An IPv6 connection usually has a /64 network.
 */
export const limitsByRole: Readonly<Record<Role | 'anonymous', Limit>> = {
  anonymous: defineLimit('anonymous', [perMinute(40), perDay(20_000)], { address_groups: 4 }),
  member: defineLimit('member', [perMinute(120), perDay(5_000)]),
  org_viewer: defineLimit('org_viewer', [perMinute(60), perDay(2_000)]),
  auditor: defineLimit('auditor', [perMinute(60), perDay(2_000)]),
  org_admin: defineLimit('org_admin', [perMinute(120), perDay(10_000)]),
  platform_admin: defineLimit('platform_admin', [perMinute(600)]),
};

/**
 * What the authorization server for agents counts apart, by network address. The servers of a large AI client register and refresh for many
 * people from a few addresses. What may register in all is limited as well. A registration costs storage, and a site with a /48 network has
 * 65,536 of the networks of one connection (RFC 6177).
 */
export const addressLimits = {
  registration: defineLimit('registration', [perMinute(30), perDay(5_000)], { address_groups: 3 }),
  token_exchange: defineLimit('token_exchange', [perMinute(600), perDay(200_000)], { address_groups: 4 }),
} as const;

/**
 * Builds the verdict with its headers, such as `RateLimit: "minute";r=119;t=60, "day";r=4999;t=86400`
 * (draft-ietf-httpapi-ratelimit-headers-11): `r` is the number of remaining requests, and `t` the seconds until the window ends. A refused
 * caller waits until all used-up windows have ended.
 */
export function buildVerdict(
  { windows, policy }: Limit,
  spent: readonly WindowUsage[],
  now_ms: number,
  allowed: boolean,
): Verdict {
  let remaining = '';
  let wait_s = 0;
  for (let index = 0; index < spent.length; index++) {
    const { name, quota } = windows[index]!;
    const { used, ends_ms } = spent[index]!;
    const reset_s = Math.max(1, Math.ceil((ends_ms - now_ms) / 1000));
    remaining += `${index === 0 ? '' : ', '}"${name}";r=${Math.max(0, quota - used)};t=${reset_s}`;
    if (used >= quota && reset_s > wait_s) wait_s = reset_s;
  }
  const headers = { 'ratelimit-policy': policy, ratelimit: remaining };
  return { allowed, headers: allowed ? headers : { ...headers, 'retry-after': String(wait_s) } };
}

/** A quota of requests in a minute. */
export function perMinute(quota: number): Window {
  return { name: 'minute', quota, seconds: 60 };
}

/** A quota of requests in a day. */
export function perDay(quota: number): Window {
  return { name: 'day', quota, seconds: 86_400 };
}
