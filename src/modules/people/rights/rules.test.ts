import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeEraseTime,
  exports_per_day_max,
  computeExportWaitSeconds,
  computeOldestExportTime,
} from './rules.ts';

const now = new Date('2026-03-02T09:00:00Z');
const subtractMilliseconds = (ms: number) => new Date(now.getTime() - ms);
const day_ms = 24 * 3_600_000;

test('an account may be erased when the retention period has passed, or at once if it is zero', () => {
  expect(computeEraseTime(now, 0)).toEqual(now);
  expect(computeEraseTime(now, 2_592_000)).toEqual(new Date('2026-04-01T09:00:00Z'));
});

test('an export is available for seven days', () => {
  expect(computeOldestExportTime(now)).toEqual(subtractMilliseconds(7 * day_ms));
});

test('a sixth export within a day must wait until the first of the five is a day old', () => {
  const five = [1, 2, 3, 4, 5].map((hours) => subtractMilliseconds(hours * 3_600_000));
  expect(computeExportWaitSeconds(five.slice(1), now)).toBe(0);
  expect(computeExportWaitSeconds(five, now)).toBe(19 * 3_600);
});

test('an export may start after exactly the wait, and not a second earlier', () => {
  const times = fc.array(fc.integer({ min: 1, max: 3 * day_ms }), { maxLength: 20 });
  fc.assert(
    fc.property(times, (ages) => {
      const requested = ages.map(subtractMilliseconds);
      const wait_s = computeExportWaitSeconds(requested, now);
      const recent = ages.filter((age) => age < day_ms).length;
      expect(wait_s > 0).toBe(recent >= exports_per_day_max);
      const addSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
      expect(computeExportWaitSeconds(requested, addSeconds(wait_s))).toBe(0);
      expect(wait_s === 0 || computeExportWaitSeconds(requested, addSeconds(wait_s - 1)) > 0).toBe(true);
    }),
  );
});
