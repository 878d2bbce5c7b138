import { expect, test } from 'vitest';
import { computeCategoryProbabilities } from '../measurement/graded-response.ts';
import { listGradedItems } from '../items/item-bank.ts';
import { computeCorrelation, fitLimits, computeFit } from './fit.ts';
import { unanswered } from './marginal-likelihood.ts';
import { createSeededRandom, drawStandardNormal } from '#lib/seeded-random.ts';

const items = listGradedItems('persistence');
const random = createSeededRandom(51);
const truths = Array.from({ length: 1500 }, () => drawStandardNormal(random));
const modelled = truths.map((theta) => Int8Array.from(items, (item) => drawn(item, theta)));

test('where the model holds, mean squares are 1, residuals do not correlate, and reliability is that of the estimates', () => {
  const fit = computeFit(items, modelled);
  for (const square of [...fit.infit, ...fit.outfit]) expect(Math.abs(square - 1)).toBeLessThan(0.1);
  expect(fit.residual_correlations).toHaveLength((items.length * (items.length - 1)) / 2);
  for (const each of fit.residual_correlations)
    expect(Math.abs(each.correlation)).toBeLessThan(fitLimits.residual_correlation);
  expect(fit.reliability).toBeGreaterThan(0.87);
  expect(fit.reliability).toBeLessThan(0.95);
});

test('an item that is answered by dice has mean squares above the limit', () => {
  const diced = modelled.map((row) => row.with(3, Math.floor(random() * 5)));
  const { infit, outfit } = computeFit(items, diced);
  expect(infit[3]).toBeGreaterThan(fitLimits.mean_square.highest);
  expect(outfit[3]).toBeGreaterThan(fitLimits.mean_square.highest);
});

test('two items that share more than the trait stand out by their residuals', () => {
  const copied = modelled.map((row) => row.with(7, row[2]!));
  const worst = computeFit(items, copied).residual_correlations.toSorted(
    (one, other) => other.correlation - one.correlation,
  );
  expect(worst[0]!.items).toEqual([2, 7]);
  expect(worst[0]!.correlation).toBeGreaterThan(0.5);
  expect(worst[1]!.correlation).toBeLessThan(fitLimits.residual_correlation);
});

test('pairs that few people answered, and people without an answer, are passed over', () => {
  const sparse = modelled.map((row, index) =>
    index < fitLimits.pair_answers - 1 ? row : row.with(0, unanswered),
  );
  const silent = new Int8Array(items.length).fill(unanswered);
  const fit = computeFit(items, [...sparse, silent]);
  expect(fit.residual_correlations.every(({ items: [one] }) => one !== 0)).toBe(true);
  expect(fit.reliability).toBe(computeFit(items, sparse).reliability);
  expect(computeFit(items, [silent]).reliability).toBe(0);
});

test('a correlation is Pearson’s', () => {
  expect(computeCorrelation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 12);
  expect(computeCorrelation([1, 2, 3, 4], [1, -1, 1, -1])).toBeCloseTo(-0.4472, 4);
});

function drawn(item: (typeof items)[number], theta: number): number {
  let left = random();
  return computeCategoryProbabilities(item, theta).findIndex((p) => (left -= p) < 0);
}
