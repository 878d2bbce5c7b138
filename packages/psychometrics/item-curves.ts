import {
  computeInformation,
  computeLogProbability,
  listCategories,
  toKeyedCategory,
  type GradedParameters,
} from './graded-response.ts';

/** 81 points on the latent scale, from -5 to 5 in steps of 1/8 population standard deviations. */
export const grid: readonly number[] = Array.from({ length: 81 }, (_, index) => -5 + index / 8);

/** The curves of an item on the grid: the log-likelihood of each option, in the order shown, and the Fisher information. */
export type ItemCurves = {
  readonly logLikelihood: readonly Float64Array[];
  readonly information: Float64Array;
};

/** Returns the curves of an item, which are computed once, because every answer reads them. */
export function getItemCurves(item: GradedParameters): ItemCurves {
  const known = cache.get(item);
  if (known !== undefined) return known;
  const curves = computeCurves(item);
  cache.set(item, curves);
  return curves;
}

const cache = new WeakMap<GradedParameters, ItemCurves>();

function computeCurves(item: GradedParameters): ItemCurves {
  return {
    logLikelihood: listCategories(item).map((option) =>
      Float64Array.from(grid, (theta) => computeLogProbability(item, toKeyedCategory(item, option), theta)),
    ),
    information: Float64Array.from(grid, (theta) => computeInformation(item, theta)),
  };
}

/** Averages a curve on the grid over a normal distribution. */
export function computeNormalAverage(curve: Float64Array, mean: number, variance: number): number {
  fillNormalWeights(weights, mean, variance);
  let total = 0;
  let sum = 0;
  for (let point = 0; point < grid.length; point++) {
    total += weights[point]!;
    sum += weights[point]! * curve[point]!;
  }
  return sum / total;
}

const weights = new Float64Array(grid.length);

/**
 * Fills `into` with the density of a normal distribution on the grid, scaled to 1 at the point next to the mean. On equal steps the
 * ratio of two neighbours changes by a constant factor, so three exponentials replace eighty-one. The loops run outwards from the peak,
 * so that nothing overflows. The relative error is below 1e-12 wherever the density is above 1e-200.
 */
export function fillNormalWeights(into: Float64Array, mean: number, variance: number): void {
  const step = grid[1]! - grid[0]!;
  const peak = Math.min(grid.length - 1, Math.max(0, Math.round((mean - grid[0]!) / step)));
  const offset = grid[peak]! - mean;
  const bend = Math.exp((-step * step) / variance);
  into[peak] = 1;
  let ratio = Math.exp((-step * (offset + step / 2)) / variance);
  for (let point = peak + 1; point < grid.length; point++, ratio *= bend)
    into[point] = into[point - 1]! * ratio;
  ratio = Math.exp((step * (offset - step / 2)) / variance);
  for (let point = peak - 1; point >= 0; point--, ratio *= bend) into[point] = into[point + 1]! * ratio;
}
