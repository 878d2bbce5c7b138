import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roles } from '#lib/caller.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { openRateLimits, type Verdict } from './rate-limits.ts';
import { addressLimits, defineLimit, limitsByRole, perDay, perMinute } from './rate-windows.ts';

const knownLimits = {
  ...limitsByRole,
  ...addressLimits,
  apart: defineLimit('apart', [perMinute(240), perDay(2_000)]),
};

const quotas = {
  anonymous: { minute: 40, day: 20_000 },
  member: { minute: 120, day: 5_000 },
  apart: { minute: 240, day: 2_000 },
  org_viewer: { minute: 60, day: 2_000 },
  auditor: { minute: 60, day: 2_000 },
  org_admin: { minute: 120, day: 10_000 },
  platform_admin: { minute: 600, day: Number.POSITIVE_INFINITY },
};

const start_ms = Date.parse('2026-11-21T09:00:00Z');

function open(enabled = true) {
  let now_ms = start_ms;
  const clock = { now: () => new Date(now_ms) };
  const limits = openRateLimits({ enabled, redisUrl: undefined, clock, log: openLog({ level: 'silent' }) });
  return {
    // Without Redis, the verdict is never a promise.
    consume: (name: keyof typeof knownLimits, key = 'ada') =>
      limits.consume({ limit: knownLimits[name], key }) as Verdict,
    advance: (seconds: number) => void (now_ms += seconds * 1000),
  };
}

/** Returns how many of the requests are allowed. */
function countAllowed(requests: number, consume: () => Verdict): number {
  return Array.from({ length: requests }, consume).filter(({ allowed }) => allowed).length;
}

test.each(['anonymous', 'apart', ...roles] as const)(
  '%s has a quota per minute, which is renewed after the minute',
  (role) => {
    const { consume, advance } = open();
    const { minute } = quotas[role];
    expect(countAllowed(minute + 5, () => consume(role))).toBe(minute);
    advance(59);
    expect(consume(role).allowed).toBe(false);
    advance(1);
    expect(countAllowed(minute + 5, () => consume(role))).toBe(minute);
  },
);

test.each(['anonymous', 'member', 'org_viewer', 'auditor', 'org_admin'] as const)(
  '%s has a quota per day, which is renewed after the day',
  (role) => {
    const { consume, advance } = open();
    const { minute, day } = quotas[role];
    let allowed = 0;
    for (let minutes = 0; minutes <= day / minute; minutes++) {
      allowed += countAllowed(minute, () => consume(role));
      advance(60);
    }
    expect(allowed).toBe(day);
    advance(86_400 - (Math.floor(day / minute) + 1) * 60 - 1);
    expect(consume(role).allowed).toBe(false);
    advance(1);
    expect(consume(role).allowed).toBe(true);
  },
);

test('a platform administrator has no daily limit', () => {
  const { consume, advance } = open();
  for (let minutes = 0; minutes < 200; minutes++) {
    expect(countAllowed(600, () => consume('platform_admin'))).toBe(600);
    advance(60);
  }
  expect(consume('platform_admin').headers).toEqual({
    'ratelimit-policy': '"minute";q=600;w=60',
    ratelimit: '"minute";r=599;t=60',
  });
});

test('the headers state the policy, the remaining requests and the end of each window, as the draft defines', () => {
  const { consume, advance } = open();
  const policy = '"minute";q=120;w=60, "day";q=5000;w=86400';
  expect(consume('member').headers).toEqual({
    'ratelimit-policy': policy,
    ratelimit: '"minute";r=119;t=60, "day";r=4999;t=86400',
  });
  advance(30.5);
  expect(consume('member').headers).toEqual({
    'ratelimit-policy': policy,
    ratelimit: '"minute";r=118;t=30, "day";r=4998;t=86370',
  });
});

test('a refused request gets Retry-After and does not count against the day', () => {
  const { consume, advance } = open();
  countAllowed(60, () => consume('auditor'));
  advance(20);
  const refused = consume('auditor');
  expect(refused.allowed).toBe(false);
  expect(refused.headers).toMatchObject({
    ratelimit: '"minute";r=0;t=40, "day";r=1940;t=86380',
    'retry-after': '40',
  });
  countAllowed(500, () => consume('auditor'));
  advance(40);
  expect(consume('auditor').headers).toMatchObject({ ratelimit: '"minute";r=59;t=60, "day";r=1939;t=86340' });
});

test('when the quota of the day is used up, requests do not count against the minute, and Retry-After is the rest of the day', () => {
  const { consume, advance } = open();
  for (let minutes = 0; minutes < 34; minutes++, advance(60)) countAllowed(60, () => consume('auditor'));
  const first = consume('auditor');
  const second = consume('auditor');
  for (const { allowed, headers } of [first, second]) {
    expect(allowed).toBe(false);
    expect(headers).toMatchObject({
      ratelimit: '"minute";r=60;t=60, "day";r=0;t=84360',
      'retry-after': '84360',
    });
  }
});

test('counts different keys and different limits separately', () => {
  const { consume } = open();
  countAllowed(60, () => consume('auditor', 'one'));
  expect(consume('auditor', 'one').allowed).toBe(false);
  expect(consume('auditor', 'other').allowed).toBe(true);
  expect(consume('org_viewer', 'one').allowed).toBe(true);
  expect(consume('apart', 'one').allowed).toBe(true);
});

test('counts the addresses of one IPv6 network together, and each IPv4 address separately', () => {
  const readRemaining = (...addresses: string[]) => {
    const { consume } = open();
    return addresses.map((address) =>
      Number(/r=(\d+)/.exec(consume('anonymous', address).headers['ratelimit']!)![1]),
    );
  };
  expect(readRemaining('2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:1::')).toEqual([
    39, 38, 37,
  ]);
  expect(readRemaining('2001:db8:1::1', '2001:db8:1:0:5:6:7:8', '2001:db8:1:0:5::')).toEqual([39, 38, 37]);
  expect(readRemaining('2001:db8::1', '2001:db8:0:0:1:2:3:4', '::1', '::1:2:3:4', '::')).toEqual([
    39, 38, 39, 38, 37,
  ]);
  expect(readRemaining('2001:db8:1:2::1', '2001:db8:1:3::1', '::1:2:3:4:5:6', '::')).toEqual([
    39, 39, 39, 39,
  ]);
  expect(readRemaining('192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1')).toEqual([39, 39, 38]);
});

test('counts the registrations of clients of one IPv6 site together', () => {
  const { consume } = open();
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:ffff::1', '2001:db8:2::1'];
  const remaining = addresses.map((address) =>
    Number(/r=(\d+)/.exec(consume('registration', address).headers['ratelimit']!)![1]),
  );
  expect(remaining).toEqual([29, 28, 29]);
});

test('a clock that is set back does not lock callers out', () => {
  const { consume, advance } = open();
  countAllowed(60, () => consume('auditor'));
  advance(-7 * 86_400);
  expect(consume('auditor').headers).toMatchObject({ ratelimit: '"minute";r=59;t=60, "day";r=1999;t=86400' });
});

test('a flood of new subjects displaces neither an active subject nor a subject of another role', () => {
  const { consume } = open();
  countAllowed(120, () => consume('member'));
  countAllowed(10, () => consume('anonymous', 'busy'));
  for (let index = 0; index < 250_000; index++) {
    consume('anonymous', `address ${index}`);
    if (index % 25_000 === 0) consume('anonymous', 'busy');
  }
  expect(consume('member').allowed).toBe(false);
  expect(consume('anonymous', 'busy').headers['ratelimit']).toContain('"minute";r=19;');
});

test('allows every request without headers if the limits are off', () => {
  const { consume } = open(false);
  expect(countAllowed(1_000, () => consume('anonymous'))).toBe(1_000);
  expect(consume('anonymous').headers).toEqual({});
});

test('a window starts with its first request and never allows more requests than its quota', () => {
  const steps = fc.array(fc.record({ seconds: fc.oneof(fc.nat(90), fc.nat(90_000)), requests: fc.nat(80) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.constantFrom('anonymous', ...roles), steps, (role, steps) => {
      const { consume, advance } = open();
      const windows = [
        { quota: quotas[role].minute, seconds: 60, ends: 0, used: 0 },
        { quota: quotas[role].day, seconds: 86_400, ends: 0, used: 0 },
      ];
      let now = 1;
      for (const { seconds, requests } of steps) {
        now += seconds;
        advance(seconds);
        for (let request = 0; request < requests; request++) {
          for (const window of windows)
            if (now >= window.ends) Object.assign(window, { ends: now + window.seconds, used: 0 });
          const expected = windows.every(({ used, quota }) => used < quota);
          if (expected) for (const window of windows) window.used++;
          const { allowed, headers } = consume(role);
          expect(allowed).toBe(expected);
          expect('retry-after' in headers).toBe(!expected);
        }
      }
    }),
    { numRuns: 30 },
  );
});
