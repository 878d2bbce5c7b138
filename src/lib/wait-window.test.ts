import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeWaitSeconds } from './wait-window.ts';

const now = new Date('2026-03-01T12:00:00Z');
const subtractSeconds = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const window = { events_max: 2, window_ms: 60_000 };

test('allows an event while fewer events than the limit are within the window', () => {
  expect(computeWaitSeconds([], window, now)).toBe(0);
  expect(computeWaitSeconds([subtractSeconds(1)], window, now)).toBe(0);
  expect(computeWaitSeconds([subtractSeconds(1), subtractSeconds(60)], window, now)).toBe(0);
});

test('otherwise allows it when the oldest counted event leaves the window', () => {
  expect(computeWaitSeconds([subtractSeconds(50), subtractSeconds(20)], window, now)).toBe(10);
  expect(
    computeWaitSeconds([subtractSeconds(10), subtractSeconds(50), subtractSeconds(20)], window, now),
  ).toBe(40);
});

test('allows one more event exactly when the wait ends', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 10 });
  fc.assert(
    fc.property(ages, fc.integer({ min: 1, max: 5 }), (seconds, events_max) => {
      const times = seconds.map(subtractSeconds);
      const wait = computeWaitSeconds(times, { events_max, window_ms: 60_000 }, now);
      const computeLaterWait = (more: number) =>
        computeWaitSeconds(times, { events_max, window_ms: 60_000 }, new Date(now.getTime() + more * 1000));
      expect(computeLaterWait(wait)).toBe(0);
      expect(computeLaterWait(Math.max(0, wait - 1))).toBe(Math.min(wait, 1));
    }),
  );
});
