import { computeSecondsUntil } from '#lib/wait-window.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeRetake, type LatestResult } from './rules.ts';

const day_ms = 86_400_000;
const completed_at = new Date('2026-03-01T12:00:00Z');

test.each([
  ['after 30 days', [], false, 30],
  ['after one day, if the answers say little', ['too_fast'], false, 1],
  ['after 30 days, if those before said little as well', ['idealised', 'inconsistent'], true, 30],
  ['after 30 days, if only those before said little', [], true, 30],
])('another assessment may start %s', (_, quality_flags, follows_flagged, days) => {
  const { available_at, advice } = computeRetake({ completed_at, quality_flags, follows_flagged });
  expect(available_at).toEqual(new Date(completed_at.getTime() + days * day_ms));
  const suggestion = expect.stringContaining('You are welcome to take the assessment again');
  expect(advice).toEqual(quality_flags.length > 0 ? suggestion : null);
});

/** What a member does in one assessment: how long it takes, whether its last result is flagged, and how long the member waits beyond the rule. */
const attempts = fc.array(
  fc.record({
    minutes: fc.integer({ min: 0, max: 50_000 }),
    isFlagged: fc.boolean(),
    patience: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 3, maxLength: 20 },
);

/** Starts each assessment as soon as the rule allows it, and `patience` days later. @returns the times when they start, in ms. */
function listStarts(
  plan: readonly { readonly minutes: number; readonly isFlagged: boolean; readonly patience: number }[],
): readonly number[] {
  let follows_flagged = false;
  let start = completed_at.getTime();
  return plan.map(({ minutes, isFlagged, patience }) => {
    const started = start;
    const latest: LatestResult = {
      completed_at: new Date(started + minutes * 60_000),
      quality_flags: isFlagged ? ['idealised'] : [],
      follows_flagged,
    };
    start = computeRetake(latest).available_at.getTime() + patience * day_ms;
    follows_flagged = isFlagged;
    return started;
  });
}

test('whatever the results, two assessments never start within a day, nor three within 30 days', () => {
  fc.assert(
    fc.property(attempts, (plan) => {
      const starts = listStarts(plan);
      const listGaps = (apart: number) => starts.slice(apart).map((start, index) => start - starts[index]!);
      expect(Math.min(...listGaps(1))).toBeGreaterThanOrEqual(day_ms);
      expect(Math.min(...listGaps(2))).toBeGreaterThanOrEqual(30 * day_ms);
    }),
  );
});

test('a member who is flagged every time gets one early retake, and then one try every 30 days', () => {
  const starts = listStarts(Array.from({ length: 5 }, () => ({ minutes: 0, isFlagged: true, patience: 0 })));
  expect(starts.map((start) => (start - starts[0]!) / day_ms)).toEqual([0, 1, 31, 61, 91]);
});

test('the suggestion is the same for every reason', () => {
  const advices = ['straight_lining', 'idealised'].map(
    (flag) => computeRetake({ completed_at, quality_flags: [flag], follows_flagged: false }).advice,
  );
  expect(new Set(advices).size).toBe(1);
});

test('a wait is rounded up to whole seconds and ends at the time', () => {
  expect(computeSecondsUntil(completed_at, new Date(completed_at.getTime() - 1001))).toBe(2);
  expect(computeSecondsUntil(completed_at, completed_at)).toBe(0);
  expect(computeSecondsUntil(completed_at, new Date('2026-04-01T00:00:00Z'))).toBe(0);
});
