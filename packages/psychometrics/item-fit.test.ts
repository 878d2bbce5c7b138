import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from './seeded-random.ts';
import { exampleScales } from './example-items.ts';
import { computeCategoryProbabilities } from './graded-response.ts';
import { computeCorrelation, computeFit, fitLimits } from './item-fit.ts';
import { unanswered } from './marginal-likelihood.ts';

const items = exampleScales.high;
const random = createSeededRandom(51);
const truths = Array.from({ length: 1500 }, () => drawStandardNormal(random));
const modelled = truths.map((theta) => Int8Array.from(items, (item) => drawCategory(item, theta)));

test('if the model holds, mean squares are near 1, residuals do not correlate, and the reliability is as expected', () => {
  const fit = computeFit(items, modelled);
  for (const square of [...fit.infit, ...fit.outfit]) expect(Math.abs(square - 1)).toBeLessThan(0.12);
  expect(fit.residual_correlations).toHaveLength((items.length * (items.length - 1)) / 2);
  for (const each of fit.residual_correlations)
    expect(Math.abs(each.correlation)).toBeLessThan(fitLimits.residual_correlation);
  expect(fit.reliability).toBeGreaterThan(0.87);
  expect(fit.reliability).toBeLessThan(0.95);
});

test('an item with random answers has mean squares above the limit', () => {
  const randomised = modelled.map((row) => row.with(3, Math.floor(random() * 5)));
  const { infit, outfit } = computeFit(items, randomised);
  expect(infit[3]).toBeGreaterThan(fitLimits.mean_square.highest);
  expect(outfit[3]).toBeGreaterThan(fitLimits.mean_square.highest);
});

test('the residuals of two items that share more than the trait correlate', () => {
  const copied = modelled.map((row) => row.with(7, row[2]!));
  const worst = computeFit(items, copied).residual_correlations.toSorted(
    (one, other) => other.correlation - one.correlation,
  );
  expect(worst[0]!.items).toEqual([2, 7]);
  expect(worst[0]!.correlation).toBeGreaterThan(0.5);
  expect(worst[1]!.correlation).toBeLessThan(fitLimits.residual_correlation);
});

test('ignores pairs with few answers, and respondents without an answer', () => {
  const sparse = modelled.map((row, index) =>
    index < fitLimits.pair_answers - 1 ? row : row.with(0, unanswered),
  );
  const empty = new Int8Array(items.length).fill(unanswered);
  const fit = computeFit(items, [...sparse, empty]);
  expect(fit.residual_correlations.every(({ items: [one] }) => one !== 0)).toBe(true);
  expect(fit.reliability).toBe(computeFit(items, sparse).reliability);
  expect(computeFit(items, [empty]).reliability).toBe(0);
});

test('computes Pearson’s correlation', () => {
  expect(computeCorrelation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(computeCorrelation([1, 2, 3, 4], [1, -1, 1, -1])).toBeCloseTo(-0.4472, 4);
});

function drawCategory(item: (typeof items)[number], theta: number): number {
  let left = random();
  return computeCategoryProbabilities(item, theta).findIndex((p) => (left -= p) < 0);
}
