import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from '#test/harness.ts';
import { openRecentMinutes } from './recent-minutes.ts';

const minute_ms = 60_000;

test('counts requests and mails by minute, and forgets what is older than an hour', () => {
  const clock = createFakeClock();
  const recent = openRecentMinutes(clock);
  const began_at = clock.now();
  for (const status of [200, 204, 304, 404, 429, 500, 503]) recent.observeRequest(status, 0.01);
  recent.countMail('sent');
  recent.countMail('failed');
  clock.advance(2 * minute_ms);
  recent.observeRequest(200, 0.01);
  expect(
    recent
      .list()
      .map(({ began_at: at, requests, refused, failed, mails_sent, mails_failed }) => [
        at.getTime() - began_at.getTime(),
        requests,
        refused,
        failed,
        mails_sent,
        mails_failed,
      ]),
  ).toEqual([
    [0, 7, 2, 2, 1, 1],
    [minute_ms, 0, 0, 0, 0, 0],
    [2 * minute_ms, 1, 0, 0, 0, 0],
  ]);
  clock.advance(58 * minute_ms);
  const last = recent.list();
  expect([last.length, last.reduce((sum, { requests }) => sum + requests, 0)]).toEqual([60, 1]);
  clock.advance(1_000 * minute_ms);
  expect(recent.list().every(({ requests }) => requests === 0)).toBe(true);
});

test('the times are at least as long as those of the requests, and too long by a fifth at most', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.3, max: 10_000, noNaN: true }), { minLength: 1 }), (times_ms) => {
      const recent = openRecentMinutes(createFakeClock());
      for (const ms of times_ms) recent.observeRequest(200, ms / 1_000);
      const sorted = times_ms.toSorted((one, other) => one - other);
      const [{ median_ms, p95_ms }] = recent.list() as [ReturnType<typeof recent.list>[number]];
      for (const [found, share] of [
        [median_ms, 0.5],
        [p95_ms, 0.95],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
        expect(found).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
        expect(found).toBeLessThanOrEqual(exact * 2 ** 0.25 * (1 + 1e-9));
      }
    }),
  );
});

test('extreme times are counted, and a minute without requests has no times', () => {
  const recent = openRecentMinutes(createFakeClock());
  expect(recent.list()).toMatchObject([{ requests: 0, median_ms: undefined, p95_ms: undefined }]);
  for (const seconds of [0, 1e-9, 1e6]) recent.observeRequest(200, seconds);
  expect(recent.list()).toMatchObject([{ requests: 3, median_ms: 0.25 }]);
});
