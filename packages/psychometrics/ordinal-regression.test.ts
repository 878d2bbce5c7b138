import { expect, test } from 'vitest';
import { fitItem } from './ordinal-regression.ts';

test('with two scores and one level, it is the odds ratio of the table and its standard error (Woolf 1955)', () => {
  const { log_odds, probability } = fitItem([{ reference: [60, 40], focal: [40, 60] }])!;
  expect(log_odds).toBeCloseTo(Math.log(2.25), 4);
  // z = ln 2.25 / sqrt(1/60 + 1/40 + 1/40 + 1/60) = 2.809
  expect(probability).toBeCloseTo(0.00497, 4);
});

test('groups with the same answers at each level do not differ, and exchanging them turns the sign', () => {
  const low = [40, 30, 20];
  const high = [10, 30, 60];
  expect(
    fitItem([
      { reference: low, focal: low },
      { reference: high, focal: high },
    ])!.log_odds,
  ).toBeCloseTo(0, 6);
  const one = fitItem([{ reference: low, focal: high }])!;
  const other = fitItem([{ reference: high, focal: low }])!;
  expect(one.log_odds).toBeGreaterThan(1);
  expect(other.log_odds).toBeCloseTo(-one.log_odds, 4);
});

test('a score that nobody gave changes nothing', () => {
  const full = fitItem([{ reference: [40, 30, 20], focal: [30, 30, 30] }])!;
  const gap = fitItem([{ reference: [40, 0, 30, 20], focal: [30, 0, 30, 30] }])!;
  expect(gap.log_odds).toBeCloseTo(full.log_odds, 8);
});

test('without both groups, or with the same answer of all, there is nothing to compare', () => {
  expect(fitItem([])).toBeUndefined();
  expect(fitItem([{ reference: [3, 4], focal: [0, 0] }])).toBeUndefined();
  expect(fitItem([{ reference: [0, 4], focal: [0, 9] }])).toBeUndefined();
});

test('a score that only one group has leads to a large odds ratio that nobody can be sure of', () => {
  const { log_odds, probability } = fitItem([{ reference: [1, 2], focal: [0, 17] }])!;
  expect(log_odds).toBeGreaterThan(5);
  expect(probability).toBeGreaterThan(0.5);
});
