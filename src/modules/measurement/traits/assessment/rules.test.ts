import { expect, test } from 'vitest';
import { computeRetake, computeWaitSeconds } from './rules.ts';

const completed_at = new Date('2026-03-01T12:00:00Z');

test('another assessment may start after 30 days, or at once with a suggestion if the answers say little', () => {
  expect(computeRetake(completed_at, [])).toEqual({
    available_at: new Date('2026-03-31T12:00:00Z'),
    advice: null,
  });
  const { available_at, advice } = computeRetake(completed_at, ['too_fast']);
  expect(available_at).toEqual(completed_at);
  expect(advice).toContain('You are welcome to take the assessment again');
});

test('the suggestion is the same for every reason', () => {
  const advices = ['straight_lining', 'idealised'].map((flag) => computeRetake(completed_at, [flag]).advice);
  expect(new Set(advices).size).toBe(1);
});

test('a wait is rounded up to whole seconds and ends at the time', () => {
  expect(computeWaitSeconds(completed_at, new Date(completed_at.getTime() - 1001))).toBe(2);
  expect(computeWaitSeconds(completed_at, completed_at)).toBe(0);
  expect(computeWaitSeconds(completed_at, new Date('2026-04-01T00:00:00Z'))).toBe(0);
});
