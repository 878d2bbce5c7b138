import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import {
  buildVerdict,
  windowsByRole,
  type WindowUsage,
  type Subject,
  type Verdict,
  type Window,
} from '#platform/limits/rate-windows.ts';
import { openSharedCounters, type SharedCounters } from '#platform/limits/shared-counters.ts';

export type { Subject, Verdict } from '#platform/limits/rate-windows.ts';

export type RateLimits = {
  /** Counts one request, unless it is refused: a refused request takes nothing from either window. Never throws. */
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
 * Subjects in one generation of one role, about 280 bytes each. Roles are apart, so that a flood of addresses pushes out other addresses
 * and never a signed-in user.
 */
const generation_max = 100_000;

/** After Redis failed once, how long this process counts alone before it asks again. */
const rest_ms = 1_000;

/** The verdict on what counts against no limit. */
export const unlimitedVerdict: Verdict = { allowed: true, headers: {} };

/**
 * Opens the rate limits. Headers are those of draft-ietf-httpapi-ratelimit-headers-11 (`RateLimit-Policy`, `RateLimit`, both windows) and
 * `Retry-After` (RFC 9110 section 10.2.3) where a request is refused; all in seconds.
 *
 * Without Redis each process counts for itself, in a map and by the clock, and answers at once: 0.4 µs a request, headers included.
 * rate-limiter-flexible's memory took 1.9 µs for two windows without headers, keeps one timer a key and window, and has no upper bound.
 * With Redis all processes share the counts; while Redis is away each counts for itself again, so that no request fails by it.
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

/** Counts in memory while the shared counters are away, and tells the log once when they go and when they come back. */
function addMemoryFallback(
  findShared: () => SharedCounters | undefined,
  inMemory: (subject: Subject) => Verdict,
  clock: Clock,
  log: Logger,
): (subject: Subject) => Verdict | Promise<Verdict> {
  let asksAgain_ms: number | undefined;

  async function countShared(counters: SharedCounters, subject: Subject): Promise<Verdict> {
    try {
      const { allowed, spent } = await counters.consume(subject);
      if (asksAgain_ms !== undefined) log.info('the shared rate limits are back');
      asksAgain_ms = undefined;
      return buildVerdict(subject.role, spent, clock.now().getTime(), allowed);
    } catch (error) {
      if (asksAgain_ms === undefined)
        log.warn({ err: error }, 'the shared rate limits are away: each process counts for itself');
      asksAgain_ms = clock.now().getTime() + rest_ms;
      return inMemory(subject);
    }
  }

  return (subject) => {
    const counters = findShared();
    const resting = asksAgain_ms !== undefined && clock.now().getTime() < asksAgain_ms;
    return counters === undefined || resting ? inMemory(subject) : countShared(counters, subject);
  };
}

/** Subjects in two generations: whoever comes back moves to the young one, and a full young one becomes the old one, which is dropped. */
type Generations = { young: Map<string, WindowUsage[]>; old: Map<string, WindowUsage[]> };

function createMemoryCounter(clock: Clock): (subject: Subject) => Verdict {
  const byRole = new Map<string, Generations>(
    Object.keys(windowsByRole).map((role) => [role, { young: new Map(), old: new Map() }]),
  );
  return ({ role, key }) => {
    const now_ms = clock.now().getTime();
    const windows: readonly Window[] = windowsByRole[role];
    const spent = findOrCreateUsage(byRole.get(role)!, key, windows);
    let allowed = true;
    for (let index = 0; index < windows.length; index++) {
      renewWindow(spent[index]!, windows[index]!.seconds * 1000, now_ms);
      if (spent[index]!.used >= windows[index]!.quota) allowed = false;
    }
    if (allowed) for (const each of spent) each.used++;
    return buildVerdict(role, spent, now_ms, allowed);
  };
}

/**
 * What a subject has spent. Two generations bound the memory without a timer or a list of ages; dropping the first key of one full map
 * took 73 µs a new key, because V8's maps step over what was deleted.
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

/** A window that ends later than its own length from now means that the clock was set back; it must not lock anybody out. */
function renewWindow(window: WindowUsage, length_ms: number, now_ms: number): void {
  const left_ms = window.ends_ms - now_ms;
  if (left_ms > 0 && left_ms <= length_ms) return;
  window.used = 0;
  window.ends_ms = now_ms + length_ms;
}

function toCountedSubject(subject: Subject): Subject {
  return subject.role === 'anonymous' ? { role: 'anonymous', key: toNetwork(subject.key) } : subject;
}

/**
 * What a network address is counted under: itself, or the /64 network of an IPv6 address, because somebody with an IPv6 connection has 2^64
 * addresses (RFC 4291 section 2.5.4).
 */
export function toNetwork(address: string): string {
  if (!address.includes(':')) return address;
  // An IPv4 client of a socket that listens on both.
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined && groups.length < 4) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `${groups[0]}:${groups[1]}:${groups[2]}:${groups[3]}::/64`;
}
