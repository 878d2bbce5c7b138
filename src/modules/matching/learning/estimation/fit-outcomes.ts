import { belonging_count, feature_count, trait_count, type Outcomes } from './features.ts';
import { sumOutcomes, type OutcomeSums } from './sum-outcomes.ts';
import {
  cholesky,
  invertMatrix,
  multiplySymmetric,
  solveFactorised,
  type SymmetricMatrix,
} from './symmetric-matrix.ts';

/** How far coefficients may be from what is expected before any outcome, as standard deviations. */
type Spread = {
  /** Of all traits together. */
  readonly shared: number;
  /** Of each trait from the others. */
  readonly trait: number;
  readonly belonging: number;
  readonly intercept: number;
};

/** What is believed before any outcome. How far traits are from each other is estimated together with the coefficients. */
export type Prior = { readonly mean: Float64Array; readonly spread: Spread };

/** A normal distribution of the coefficients, by its mean and its precision (the inverse of the covariance), and how many passes over the outcomes it took. */
export type OutcomeFit = {
  readonly mean: Float64Array;
  readonly precision: SymmetricMatrix;
  readonly spread: Spread;
  /** Passes over all outcomes. Those over a sample are not counted. */
  readonly passes: number;
  /** The sums of each part of the outcomes, at coefficients that differ from the mean by less than matters. */
  readonly parts: readonly OutcomeSums[];
};

/** A better fit is a better outcome, each trait as much as the organisation's priority says. */
export function buildPrior(): Prior {
  const mean = new Float64Array(feature_count);
  mean.fill(0.5, 0, trait_count);
  return { mean, spread: { shared: 0.5, trait: 0.3, belonging: 0.3, intercept: 2 } };
}

/** Builds the belief about a job family before its outcomes: that it is like all jobs. */
export function buildFamilyPrior({ mean }: Pick<OutcomeFit, 'mean'>): Prior {
  return { mean, spread: { shared: 0.2, trait: 0.2, belonging: 0.2, intercept: 0.5 } };
}

/** The largest number of passes over the outcomes, and the largest step after which none is needed: what is left is less than its square. */
const passes_max = 25;
const tolerance = 5e-3;

/** How many outcomes a first fit is made from, whose result is the start of the fit of all. */
const sample_rows = 4_000;

/**
 * Fits the logistic model of outcomes by Laplace's approximation: the mode of the posterior, and the precision there, H = P + Σ ω p (1 - p) x x'.
 * Newton's method, one pass over the outcomes for each step. A step that does not improve the posterior is halved, so that it converges from any start.
 *
 * The spread of the traits is estimated from the same outcomes (empirical Bayes: expectation and maximisation, MacKay 1992): if outcomes show
 * that traits differ a lot, few outcomes move a coefficient far; if they show nothing, it stays with the others.
 */
export function fitOutcomes(prior: Prior, outcomes: Outcomes, start: Float64Array = prior.mean): OutcomeFit {
  const sample = drawSample(outcomes);
  return improveFit(prior, outcomes, sample ? improveFit(prior, sample, start).mean : start);
}

/** Draws every n-th outcome; nothing if there are few. */
function drawSample({ features, values, weights }: Outcomes): Outcomes | undefined {
  const stride = Math.floor(values.length / sample_rows);
  if (stride < 4) return undefined;
  const rows = Math.floor(values.length / stride);
  const sampled = new Float64Array(rows * feature_count);
  for (let row = 0; row < rows; row += 1) {
    const from = row * stride * feature_count;
    sampled.set(features.subarray(from, from + feature_count), row * feature_count);
  }
  return {
    features: sampled,
    values: Float64Array.from({ length: rows }, (_, row) => values[row * stride]!),
    weights: Float64Array.from({ length: rows }, (_, row) => weights[row * stride]!),
    ends: [rows],
  };
}

/** Where a fit is: coefficients, and the sums of the outcomes there. */
type Place = { readonly coefficients: Float64Array; readonly sums: ReturnType<typeof sumOutcomes> };

/** After so many passes the spread stays as it is, so that steps have one aim. */
const spread_passes = 5;

function improveFit({ mean, spread: expected }: Prior, outcomes: Outcomes, start: Float64Array): OutcomeFit {
  let place: Place = { coefficients: start, sums: sumOutcomes(outcomes, start) };
  let spread = expected;
  let passes = 1;
  for (;;) {
    if (passes <= spread_passes) spread = estimateSpread({ mean, spread: expected }, spread, place);
    const precision = addMatrices(buildPrecision(spread), place.sums.curvature);
    const step = computeStep({ mean, spread }, place, precision);
    const length = Math.max(...step.map(Math.abs));
    const { parts } = place.sums;
    if (length < tolerance)
      return { mean: addVectors(place.coefficients, step), precision, spread, passes, parts };
    const next = takeStep({ mean, spread }, outcomes, { place, step, passes_left: passes_max - passes });
    if (!next) return { mean: place.coefficients, precision, spread, passes: passes_max, parts };
    passes += next.passes;
    ({ place } = next);
  }
}

/** Takes a step, or the first of its halves, quarters and so on that improves the posterior; undefined if none does. */
function takeStep(
  prior: Prior,
  outcomes: Outcomes,
  {
    place,
    step,
    passes_left,
  }: { readonly place: Place; readonly step: Float64Array; readonly passes_left: number },
): { readonly place: Place; readonly passes: number } | undefined {
  const loss = computeLoss(prior, place);
  for (let passes = 1, share = 1; passes <= passes_left && share > 1e-3; passes += 1, share /= 2) {
    const coefficients = addVectors(place.coefficients, step, share);
    const next = { coefficients, sums: sumOutcomes(outcomes, coefficients) };
    if (computeLoss(prior, next) <= loss + 1e-9) return { place: next, passes };
  }
  return undefined;
}

/** Computes minus the logarithm of the posterior, up to a constant. */
function computeLoss({ mean, spread }: Prior, { coefficients, sums }: Place): number {
  const deviations = addVectors(coefficients, mean, -1);
  const pulls = multiplySymmetric(buildPrecision(spread), deviations);
  return sums.loss + 0.5 * deviations.reduce((sum, deviation, place) => sum + deviation * pulls[place]!, 0);
}

/** Computes the step of Newton's method. */
function computeStep({ mean, spread }: Prior, place: Place, precision: SymmetricMatrix): Float64Array {
  const gradient = computeGradient({ mean, spread }, place.coefficients, place.sums);
  return solveFactorised(cholesky(precision, feature_count), feature_count, gradient);
}

/** Computes the gradient of the logarithm of the posterior. */
export function computeGradient(
  { mean, spread }: Prior,
  coefficients: Float64Array,
  { gradient }: Pick<OutcomeSums, 'gradient'>,
): Float64Array {
  const pulls = multiplySymmetric(buildPrecision(spread), addVectors(coefficients, mean, -1));
  return addVectors(gradient, pulls, -1);
}

/** How many traits' worth of belief the expected spread has. */
const spread_weight = 4;
const spread_rounds = 60;
const spreadLimits = { min: 0.02, max: 10 } as const;

/**
 * Estimates how far traits are from what is expected, all together and from each other, from the outcomes near a place: the spread that makes them most
 * probable, with the expected one counted as four more traits. Needs no pass over the outcomes.
 */
function estimateSpread(
  { mean, spread: expected }: Prior,
  before: Spread,
  { coefficients, sums }: Place,
): Spread {
  let spread = before;
  for (let round = 0; round < spread_rounds; round += 1) {
    const covariance = invertMatrix(addMatrices(buildPrecision(spread), sums.curvature), feature_count);
    const gradient = computeGradient({ mean, spread }, coefficients, sums);
    const mode = addVectors(coefficients, multiplySymmetric(covariance, gradient));
    const next = countSpread(expected, addVectors(mode, mean, -1), covariance);
    const change = Math.abs(next.trait / spread.trait - 1) + Math.abs(next.shared / spread.shared - 1);
    spread = next;
    if (change < 1e-3) break;
  }
  return spread;
}

/** One round: the mean squares of the deviations, each with its uncertainty. */
function countSpread(expected: Spread, deviations: Float64Array, covariance: SymmetricMatrix): Spread {
  let [sum, squares, variances, total] = [0, 0, 0, 0];
  for (let row = 0; row < trait_count; row += 1) {
    sum += deviations[row]!;
    squares += deviations[row]! ** 2;
    variances += covariance[row * feature_count + row]!;
    for (let column = 0; column < trait_count; column += 1)
      total += covariance[Math.max(row, column) * feature_count + Math.min(row, column)]!;
  }
  const shared = sum / trait_count;
  const apart = squares - trait_count * shared ** 2 + variances - total / trait_count;
  const together = shared ** 2 + total / trait_count ** 2;
  return {
    ...expected,
    trait: limitSpread((spread_weight * expected.trait ** 2 + apart) / (spread_weight + trait_count - 1)),
    shared: limitSpread((spread_weight * expected.shared ** 2 + together) / (spread_weight + 1)),
  };
}

function limitSpread(variance: number): number {
  return Math.min(spreadLimits.max, Math.max(spreadLimits.min, Math.sqrt(variance)));
}

/** Builds the precision of what is believed before any outcome. */
export function buildPrecision(spread: Spread): SymmetricMatrix {
  const covariance = new Float64Array(feature_count ** 2);
  for (let row = 0; row < feature_count; row += 1) {
    const shared = row < trait_count ? trait_count : 0;
    for (let column = 0; column < shared; column += 1)
      covariance[row * feature_count + column] = spread.shared ** 2;
    covariance[row * feature_count + row]! += selectDeviation(spread, row) ** 2;
  }
  return invertMatrix(covariance, feature_count);
}

function selectDeviation({ trait, belonging, intercept }: Spread, feature: number): number {
  if (feature < trait_count) return trait;
  return feature < trait_count + belonging_count ? belonging : intercept;
}

function addMatrices(one: SymmetricMatrix, other: SymmetricMatrix): SymmetricMatrix {
  return addVectors(one, other);
}

function addVectors(one: Float64Array, other: Float64Array, share = 1): Float64Array {
  return one.map((value, place) => value + share * other[place]!);
}
