import type { Clock } from '#platform/clock.ts';
import {
  buildVerdict,
  type Subject,
  type Verdict,
  type Window,
  type WindowUsage,
} from '#platform/limits/rate-windows.ts';
import { openSharedCounters, type SharedCounters } from '#platform/limits/shared-counters.ts';
import type { Logger } from '#platform/telemetry/log.ts';

export type { Subject, Verdict } from '#platform/limits/rate-windows.ts';

export type RateLimits = {
  /** Counts one request, unless it is refused: a refused request does not count in either window. Never throws. */
  consume(subject: Subject): Verdict | Promise<Verdict>;
  close(): Promise<void>;
};

export type RateLimitOptions = {
  readonly enabled: boolean;
  readonly redisUrl: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
};

/**
 * The largest number of subjects in one generation of one limit, about 280 bytes each. Each limit has its own generations, so that a flood of
 * addresses displaces only other addresses and never a logged-in user.
 */
const generation_max = 100_000;

/** How long this process counts alone after Redis has failed, before it tries Redis again. */
const retry_ms = 1_000;

/** The verdict for requests that are not limited. */
export const unlimitedVerdict: Verdict = { allowed: true, headers: {} };

/**
 * Opens the rate limits. The headers are those of draft-ietf-httpapi-ratelimit-headers-11 (`RateLimit-Policy` and `RateLimit`, with both
 * windows), and `Retry-After` (RFC 9110 section 10.2.3) for a refused request; all in seconds.
 *
 * Without Redis, each process counts for itself in a map and decides without waiting, in 0.4 µs per request, headers included. The memory
 * store of rate-limiter-flexible took 1.9 µs for two windows without headers, has one timer per key and window, and no upper bound. With
 * Redis, all processes share the counts. While Redis is unavailable, each process counts for itself again, so that no request fails.
 */
export function openRateLimits({ enabled, redisUrl, clock, log }: RateLimitOptions): RateLimits {
  if (!enabled) return { consume: () => unlimitedVerdict, close: async () => {} };
  const countInMemory = createMemoryCounter(clock);
  if (redisUrl === undefined)
    return { consume: (subject) => countInMemory(toCountedSubject(subject)), close: async () => {} };
  let shared: SharedCounters | undefined;
  const opening = openSharedCounters(redisUrl, clock).then(
    (opened) => void (shared = opened),
    (error: unknown) => log.error({ err: error }, 'the shared rate limits cannot be opened'),
  );
  const countWithFallback = addMemoryFallback(() => shared, countInMemory, clock, log);
  return {
    consume: (subject) => countWithFallback(toCountedSubject(subject)),
    close: async () => {
      await opening;
      shared?.close();
    },
  };
}

/** Counts in memory while the shared counters are unavailable, and logs once when they fail and once when they work again. */
function addMemoryFallback(
  findShared: () => SharedCounters | undefined,
  countInMemory: (subject: Subject) => Verdict,
  clock: Clock,
  log: Logger,
): (subject: Subject) => Verdict | Promise<Verdict> {
  let retry_at_ms: number | undefined;

  async function countShared(counters: SharedCounters, subject: Subject): Promise<Verdict> {
    try {
      const { allowed, spent } = await counters.consume(subject);
      if (retry_at_ms !== undefined) log.info('the shared rate limits are available again');
      retry_at_ms = undefined;
      return buildVerdict(subject.limit, spent, clock.now().getTime(), allowed);
    } catch (error) {
      if (retry_at_ms === undefined)
        log.warn({ err: error }, 'the shared rate limits are unavailable: each process counts for itself');
      retry_at_ms = clock.now().getTime() + retry_ms;
      return countInMemory(subject);
    }
  }

  return (subject) => {
    const counters = findShared();
    const isWaiting = retry_at_ms !== undefined && clock.now().getTime() < retry_at_ms;
    return counters === undefined || isWaiting ? countInMemory(subject) : countShared(counters, subject);
  };
}

/**
 * Subjects in two generations. A subject that returns moves to the young one. A full young generation replaces the old one, which is
 * dropped.
 */
type Generations = { young: Map<string, WindowUsage[]>; old: Map<string, WindowUsage[]> };

function createMemoryCounter(clock: Clock): (subject: Subject) => Verdict {
  const byLimit = new Map<string, Generations>();
  return ({ limit, key }) => {
    const now_ms = clock.now().getTime();
    const { name, windows } = limit;
    let known = byLimit.get(name);
    if (known === undefined) byLimit.set(name, (known = { young: new Map(), old: new Map() }));
    const spent = findOrCreateUsage(known, key, windows);
    let allowed = true;
    for (let index = 0; index < windows.length; index++) {
      renewWindow(spent[index]!, windows[index]!.seconds * 1000, now_ms);
      if (spent[index]!.used >= windows[index]!.quota) allowed = false;
    }
    if (allowed) for (const each of spent) each.used++;
    return buildVerdict(limit, spent, now_ms, allowed);
  };
}

/**
 * Returns the usage of a subject. Two generations limit the memory without a timer or a list of ages. Deleting the first key of one full map
 * took 73 µs per new key, because V8's maps iterate over deleted entries.
 */
function findOrCreateUsage(known: Generations, key: string, windows: readonly Window[]): WindowUsage[] {
  const young = known.young.get(key);
  if (young !== undefined) return young;
  const spent = known.old.get(key) ?? windows.map(() => ({ used: 0, ends_ms: 0 }));
  if (known.young.size >= generation_max) {
    known.old = known.young;
    known.young = new Map();
  }
  known.young.set(key, spent);
  return spent;
}

/**
 * Starts a new window if the last one has ended. A window that ends too far in the future means that the clock was set back; it must not
 * lock callers out.
 */
function renewWindow(window: WindowUsage, length_ms: number, now_ms: number): void {
  const left_ms = window.ends_ms - now_ms;
  if (left_ms > 0 && left_ms <= length_ms) return;
  window.used = 0;
  window.ends_ms = now_ms + length_ms;
}

function toCountedSubject(subject: Subject): Subject {
  const { limit, key } = subject;
  return limit.address_groups === undefined ? subject : { limit, key: toNetwork(key, limit.address_groups) };
}

/**
 * Returns the key under which a network address is counted: the address itself, or the /64 network of an IPv6 address, because an IPv6
 * connection usually has 2^64 addresses (RFC 4291 section 2.5.4). `groups_max` is the number of groups of 16 bits of the network.
 */
export function toNetwork(address: string, groups_max = 4): string {
  if (!address.includes(':')) return address;
  // An IPv4 client of a socket that accepts both IPv4 and IPv6.
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined && groups.length < 4) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups.slice(0, groups_max).join(':')}::/${groups_max * 16}`;
}
