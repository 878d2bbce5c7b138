import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import { verdict, windowsOf, type Spent, type Subject, type Verdict, type Window } from '#platform/rate-windows.ts';
import { openSharedCounters, type SharedCounters } from '#platform/shared-counters.ts';

export type { Subject, Verdict } from '#platform/rate-windows.ts';

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

/** Subjects remembered for each role, about 250 bytes each; a flood of addresses pushes out other addresses, never a signed-in user. */
const subjects_max = 100_000;

/** After Redis failed once, how long this process counts alone before it asks again. */
const rest_ms = 1_000;

const unlimited: Verdict = { allowed: true, headers: {} };

/**
 * Opens the rate limits. Headers are those of draft-ietf-httpapi-ratelimit-headers-11 (`RateLimit-Policy`, `RateLimit`, both windows) and
 * `Retry-After` (RFC 9110 section 10.2.3) where a request is refused; all in seconds.
 *
 * Without Redis each process counts for itself, in a map and by the clock, and answers at once: 0.5 µs a request, headers included.
 * rate-limiter-flexible's memory took 1.9 µs for two windows without headers, keeps one timer a key and window, and has no upper bound.
 * With Redis all processes share the counts; while Redis is away each counts for itself again, so that no request fails by it.
 */
export function openRateLimits({ enabled, redisUrl, clock, log }: RateLimitOptions): RateLimits {
  if (!enabled) return { consume: () => unlimited, close: async () => {} };
  const inMemory = memoryCounters(clock);
  if (redisUrl === undefined) return { consume: (subject) => inMemory(counted(subject)), close: async () => {} };
  let shared: SharedCounters | undefined;
  const opening = openSharedCounters(redisUrl, clock).then(
    (opened) => void (shared = opened),
    (error: unknown) => log.error({ err: error }, 'the shared rate limits cannot be opened'),
  );
  const insured = withInsurance(() => shared, inMemory, clock, log);
  return {
    consume: (subject) => insured(counted(subject)),
    close: async () => {
      await opening;
      shared?.close();
    },
  };
}

/** Counts in memory while the shared counters are away, and tells the log once when they go and when they come back. */
function withInsurance(
  shared: () => SharedCounters | undefined,
  inMemory: (subject: Subject) => Verdict,
  clock: Clock,
  log: Logger,
): (subject: Subject) => Verdict | Promise<Verdict> {
  let asksAgain_ms: number | undefined;

  async function ask(counters: SharedCounters, subject: Subject): Promise<Verdict> {
    try {
      const { allowed, spent } = await counters.consume(subject);
      if (asksAgain_ms !== undefined) log.info('the shared rate limits are back');
      asksAgain_ms = undefined;
      return verdict(subject.role, spent, clock.now().getTime(), allowed);
    } catch (error) {
      if (asksAgain_ms === undefined) log.warn({ err: error }, 'the shared rate limits are away: each process counts for itself');
      asksAgain_ms = clock.now().getTime() + rest_ms;
      return inMemory(subject);
    }
  }

  return (subject) => {
    const counters = shared();
    const resting = asksAgain_ms !== undefined && clock.now().getTime() < asksAgain_ms;
    return counters === undefined || resting ? inMemory(subject) : ask(counters, subject);
  };
}

function memoryCounters(clock: Clock): (subject: Subject) => Verdict {
  const byRole = new Map(Object.keys(windowsOf).map((role) => [role, new Map<string, Spent[]>()]));
  return ({ role, key }) => {
    const now_ms = clock.now().getTime();
    const windows = windowsOf[role];
    const spent = spentBy(byRole.get(role)!, key, windows, now_ms);
    const allowed = spent.every(({ used }, index) => used < windows[index]!.quota);
    if (allowed) for (const each of spent) each.used++;
    return verdict(role, spent, now_ms, allowed);
  };
}

/** What a subject has spent of the windows it is in now; windows that ended begin anew. */
function spentBy(known: Map<string, Spent[]>, key: string, windows: readonly Window[], now_ms: number): Spent[] {
  const spent = known.get(key);
  if (spent === undefined) {
    makeRoom(known, now_ms);
    const fresh = windows.map(({ seconds }) => ({ used: 0, ends_ms: now_ms + seconds * 1000 }));
    known.set(key, fresh);
    return fresh;
  }
  let renewed = false;
  for (const [index, { seconds }] of windows.entries()) renewed = renew(spent[index]!, seconds * 1000, now_ms) || renewed;
  if (renewed) {
    // Map keeps the order of insertion: the first in it has been idle the longest.
    known.delete(key);
    known.set(key, spent);
  }
  return spent;
}

/** A window that ends later than its own length from now means that the clock was set back; it must not lock anybody out. */
function renew(window: Spent, length_ms: number, now_ms: number): boolean {
  const left_ms = window.ends_ms - now_ms;
  if (left_ms > 0 && left_ms <= length_ms) return false;
  window.used = 0;
  window.ends_ms = now_ms + length_ms;
  return true;
}

/** Before one comes, at most two go: those whose windows have all ended, and the longest idle where the map is full. */
function makeRoom(known: Map<string, Spent[]>, now_ms: number): void {
  for (let gone = 0; gone < 2; gone++) {
    const [oldest] = known;
    if (oldest === undefined) return;
    const [key, spent] = oldest;
    if (known.size < subjects_max && spent.some(({ ends_ms }) => ends_ms > now_ms)) return;
    known.delete(key);
  }
}

/** Somebody with an IPv6 connection has 2^64 addresses (RFC 4291 section 2.5.4), so these are counted by their /64 network. */
function counted(subject: Subject): Subject {
  if (subject.role !== 'anonymous' || !subject.key.includes(':')) return subject;
  return { role: 'anonymous', key: networkOf(subject.key) };
}

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
