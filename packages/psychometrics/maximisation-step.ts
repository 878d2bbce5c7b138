import type { ItemParameters } from './graded-response.ts';
import { grid } from './item-curves.ts';
import { solveSystem, type SymmetricMatrix } from './symmetric-matrix.ts';

/**
 * The prior distribution of an item's parameters: ln a is normal around ln `discrimination`, and each threshold is normal around its
 * value here. Functions accept `null` for plain maximum likelihood.
 */
export type ParameterPrior = ItemParameters & {
  readonly discrimination_log_sd: number;
  readonly threshold_sd: number;
};

/** The expected number of respondents at each point of the grid who chose each category: `counts[category][point]`. */
export type ExpectedCounts = readonly Float64Array[];

/**
 * The maximisation step of Bock and Aitkin (1981, Psychometrika 46) for one item: improves a and the thresholds of the graded response
 * model for expected counts by Fisher scoring on (ln a, b_1 ..). Steps are halved until the posterior density does not decrease. The
 * log-likelihood of cumulative logits is concave in slope and intercepts (Pratt 1981), so it has one maximum.
 */
export function improveParameters(
  start: ItemParameters,
  counts: ExpectedCounts,
  prior: ParameterPrior | null,
): ItemParameters {
  let current = start;
  let value = computeLogPosterior(current, counts, prior);
  for (let step = 0; step < scoring_steps; step++) {
    const direction = computeScoringDirection(current, counts, prior);
    const next = findImprovingStep(current, value, direction, counts, prior);
    if (next === undefined) break;
    const gain = next.value - value;
    ({ parameters: current, value } = next);
    if (gain < 1e-9) break;
  }
  return current;
}

const scoring_steps = 3;
const halvings = 12;
const discrimination_bounds = { lowest: 0.05, highest: 8 } as const;

function findImprovingStep(
  current: ItemParameters,
  value: number,
  direction: Float64Array,
  counts: ExpectedCounts,
  prior: ParameterPrior | null,
): { readonly parameters: ItemParameters; readonly value: number } | undefined {
  for (let half = 0, size = 1; half < halvings; half++, size /= 2) {
    const parameters = moveParameters(current, direction, size);
    if (!isOrdered(parameters)) continue;
    const reached = computeLogPosterior(parameters, counts, prior);
    if (reached >= value) return { parameters, value: reached };
  }
  return undefined;
}

function moveParameters(
  { discrimination, thresholds }: ItemParameters,
  direction: Float64Array,
  size: number,
): ItemParameters {
  const { lowest, highest } = discrimination_bounds;
  return {
    discrimination: Math.min(highest, Math.max(lowest, discrimination * Math.exp(size * direction[0]!))),
    thresholds: thresholds.map((threshold, index) => threshold + size * direction[index + 1]!),
  };
}

function isOrdered({ thresholds }: ItemParameters): boolean {
  return thresholds.every((threshold, index) => index === 0 || threshold > thresholds[index - 1]! + 1e-4);
}

/** Computes the expected complete-data log-likelihood of the item plus the log density of the prior, up to a constant. */
function computeLogPosterior(
  parameters: ItemParameters,
  counts: ExpectedCounts,
  prior: ParameterPrior | null,
): number {
  let sum =
    prior === null ? 0 : -0.5 * computePriorResiduals(parameters, prior).reduce((all, z) => all + z * z, 0);
  const { discrimination: a, thresholds } = parameters;
  for (let point = 0; point < grid.length; point++) {
    let above = 1;
    for (let category = 0; category < counts.length; category++) {
      const below =
        category < thresholds.length ? 1 / (1 + Math.exp(-a * (grid[point]! - thresholds[category]!))) : 0;
      sum += counts[category]![point]! * Math.log(Math.max(smallest, above - below));
      above = below;
    }
  }
  return sum;
}

function computePriorResiduals(
  { discrimination, thresholds }: ItemParameters,
  prior: ParameterPrior,
): number[] {
  return [
    Math.log(discrimination / prior.discrimination) / prior.discrimination_log_sd,
    ...thresholds.map((threshold, index) => (threshold - prior.thresholds[index]!) / prior.threshold_sd),
  ];
}

function computeScoringDirection(
  parameters: ItemParameters,
  counts: ExpectedCounts,
  prior: ParameterPrior | null,
): Float64Array {
  const size = parameters.thresholds.length + 1;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  for (let row = 0; row < size; row++) information[row * (size + 1)] = 1e-6;
  const curves = createCategoryCurves(parameters);
  for (let point = 0; point < grid.length; point++) {
    const respondents = counts.reduce((sum, curve) => sum + curve[point]!, 0);
    if (respondents < 1e-12) continue;
    fillCategoryCurves(curves, parameters, grid[point]!);
    for (let category = 0; category < counts.length; category++) {
      const probability = curves.probabilities[category]!;
      const slope = curves.slopes[category]!;
      addScore(gradient, slope, counts[category]![point]! / probability);
      addInformation(information, slope, respondents / probability);
    }
  }
  if (prior !== null) {
    for (const [index, z] of computePriorResiduals(parameters, prior).entries()) {
      const sd = index === 0 ? prior.discrimination_log_sd : prior.threshold_sd;
      gradient[index]! -= z / sd;
      information[index * (size + 1)]! += 1 / (sd * sd);
    }
  }
  return solveSystem(information, gradient);
}

function addScore(gradient: Float64Array, slope: Float64Array, share: number): void {
  for (let row = 0; row < slope.length; row++) gradient[row]! += share * slope[row]!;
}

/** A slope has at most three parts that are not 0. */
function addInformation(information: SymmetricMatrix, slope: Float64Array, weight: number): void {
  const size = slope.length;
  for (let row = 0; row < size; row++) {
    if (slope[row] === 0) continue;
    const scale = weight * slope[row]!;
    for (let column = 0; column < size; column++) information[row * size + column]! += scale * slope[column]!;
  }
}

/** The smallest probability, so that logarithms remain finite at the ends of the grid. */
const smallest = 1e-12;

/** The probability of each category at one theta, and its derivatives with respect to (ln a, b_1 ..): `slopes[category][parameter]`. */
export type CategoryCurves = {
  readonly probabilities: Float64Array;
  readonly slopes: readonly Float64Array[];
};

/** Computes the category probabilities of the graded response model at theta, and their derivatives. */
export function computeCategoryCurves(parameters: ItemParameters, theta: number): CategoryCurves {
  const curves = createCategoryCurves(parameters);
  fillCategoryCurves(curves, parameters, theta);
  return curves;
}

function createCategoryCurves({ thresholds }: ItemParameters): CategoryCurves {
  const categories = thresholds.length + 1;
  return {
    probabilities: new Float64Array(categories),
    slopes: Array.from({ length: categories }, () => new Float64Array(categories)),
  };
}

/**
 * Writes the curves of an item with as many thresholds as the last one. With P* = s(a (theta - b_k)) and w = P* (1 - P*), dP* / d ln a =
 * a (theta - b_k) w and dP* / d b_k = -a w. The probability of a category is the difference of two neighbouring P*.
 */
function fillCategoryCurves(
  { probabilities, slopes }: CategoryCurves,
  { discrimination: a, thresholds }: ItemParameters,
  theta: number,
): void {
  let above = 1;
  let slopeAbove = 0;
  let weightAbove = 0;
  for (let category = 0; category <= thresholds.length; category++) {
    const logit = category < thresholds.length ? a * (theta - thresholds[category]!) : -Infinity;
    const below = 1 / (1 + Math.exp(-logit));
    const weight = below * (1 - below);
    const slopeBelow = weight === 0 ? 0 : logit * weight;
    const slope = slopes[category]!;
    probabilities[category] = Math.max(smallest, above - below);
    slope[0] = slopeAbove - slopeBelow;
    if (category > 0) slope[category] = -a * weightAbove;
    if (category < thresholds.length) slope[category + 1] = a * weight;
    above = below;
    slopeAbove = slopeBelow;
    weightAbove = weight;
  }
}
