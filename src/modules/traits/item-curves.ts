import { information, keyedCategory, logProbability } from './graded-response.ts';
import type { GradedItem } from './items/item.ts';

/** 81 points on the latent scale, from -5 to 5 in steps of 1/8 population standard deviations. */
export const grid: readonly number[] = Array.from({ length: 81 }, (_, index) => -5 + index / 8);

/** An item's curves on the grid: the log-likelihood of each option as shown, and the Fisher information. */
export type ItemCurves = {
  readonly logLikelihood: readonly Float64Array[];
  readonly information: Float64Array;
};

/** The curves are computed once for an item, because every answer reads them. */
export function itemCurves(item: GradedItem): ItemCurves {
  const known = cache.get(item);
  if (known !== undefined) return known;
  const curves = computeCurves(item);
  cache.set(item, curves);
  return curves;
}

const cache = new WeakMap<GradedItem, ItemCurves>();

function computeCurves(item: GradedItem): ItemCurves {
  return {
    logLikelihood: [0, 1, 2, 3, 4].map((option) =>
      Float64Array.from(grid, (theta) => logProbability(item, keyedCategory(item, option), theta)),
    ),
    information: Float64Array.from(grid, (theta) => information(item, theta)),
  };
}

/** The mean over a normal distribution of a curve given on the grid. */
export function normalAverage(curve: Float64Array, mean: number, variance: number): number {
  let total = 0;
  let sum = 0;
  for (let point = 0; point < grid.length; point++) {
    const weight = Math.exp((-0.5 * (grid[point]! - mean) ** 2) / variance);
    total += weight;
    sum += weight * curve[point]!;
  }
  return sum / total;
}
