import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleScales } from './example-items.ts';
import {
  computeCategoryProbabilities,
  computeInformation,
  computeLogProbability,
  computeLogProbabilityDerivatives,
  toKeyedCategory,
} from './graded-response.ts';

const thresholds = [-1, 0, 1, 2];
const allItems = [...exampleScales.even, ...exampleScales.high];
const items = fc.constantFrom(...allItems);
const thetas = fc.double({ min: -6, max: 6, noNaN: true });

describe('the graded response model', () => {
  test('gives probabilities that are positive and sum to one', () => {
    fc.assert(
      fc.property(items, thetas, (item, theta) => {
        const probabilities = computeCategoryProbabilities(item, theta);
        expect(probabilities.every((probability) => probability > 0)).toBe(true);
        expect(sum(probabilities)).toBeCloseTo(1, 12);
      }),
      { seed: 1 },
    );
  });

  test('makes a higher category more likely for a higher trait', () => {
    fc.assert(
      fc.property(items, thetas, fc.double({ min: 0.01, max: 3, noNaN: true }), (item, theta, step) => {
        const low = computeCategoryProbabilities(item, theta);
        const high = computeCategoryProbabilities(item, theta + step);
        for (let category = 1; category < 5; category++)
          expect(sum(high.slice(category))).toBeGreaterThan(sum(low.slice(category)));
      }),
      { seed: 2 },
    );
  });

  test('has a cumulative probability of one half at each threshold', () => {
    for (const item of allItems)
      for (const [index, threshold] of item.thresholds.entries())
        expect(sum(computeCategoryProbabilities(item, threshold).slice(index + 1))).toBeCloseTo(0.5, 12);
  });

  test('has derivatives equal to numerical differences', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 4 }), thetas, (item, category, theta) => {
        const h = 1e-4;
        const computeAt = (x: number) => computeLogProbability(item, category, x);
        const { first, second } = computeLogProbabilityDerivatives(item, category, theta);
        const [below, middle, above] = [computeAt(theta - h), computeAt(theta), computeAt(theta + h)];
        expect(first).toBeCloseTo((above - below) / (2 * h), 5);
        expect(second).toBeCloseTo((above - 2 * middle + below) / (h * h), 4);
        expect(second).toBeLessThan(0);
      }),
      { seed: 3 },
    );
  });

  test('has positive information equal to the expected squared slope', () => {
    fc.assert(
      fc.property(items, thetas, (item, theta) => {
        const squared = computeCategoryProbabilities(item, theta).map(
          (probability, category) =>
            probability * computeLogProbabilityDerivatives(item, category, theta).first ** 2,
        );
        expect(computeInformation(item, theta)).toBeGreaterThan(0);
        expect(computeInformation(item, theta)).toBeCloseTo(sum(squared), 9);
      }),
      { seed: 4 },
    );
  });

  test('stays finite far outside the population', () => {
    for (const item of allItems)
      for (const theta of [-400, 400])
        for (const category of [0, 2, 4])
          expect(Number.isFinite(computeLogProbability(item, category, theta))).toBe(true);
  });
});

test('counts the options of reversed statements from the other end, and rejects unknown options', () => {
  expect([0, 1, 2, 3, 4].map((option) => toKeyedCategory({ thresholds }, option))).toEqual([0, 1, 2, 3, 4]);
  expect([0, 1, 2, 3, 4].map((option) => toKeyedCategory({ thresholds, reversed: true }, option))).toEqual([
    4, 3, 2, 1, 0,
  ]);
  for (const option of [-1, 5, 1.5, Number.NaN])
    expect(() => toKeyedCategory({ thresholds }, option)).toThrow(RangeError);
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
