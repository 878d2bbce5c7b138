import { sumObservations, type Observations, type ObservationSums } from './logistic-sums.ts';
import {
  cholesky,
  invertMatrix,
  multiplySymmetric,
  solveFactorised,
  type SymmetricMatrix,
} from './symmetric-matrix.ts';

/**
 * How far coefficients may be from what is expected before any observation, as standard deviations. The first coefficients, at least one, are exchangeable: nothing
 * distinguishes them beforehand. The others come last.
 */
export type Spread = {
  /** Of all exchangeable coefficients together. */
  readonly shared: number;
  /** Of each exchangeable coefficient from the others. */
  readonly own: number;
  /** Of each other coefficient. */
  readonly others: readonly number[];
};

/** What is believed before any observation. How far exchangeable coefficients are from each other is estimated together with the coefficients. */
export type Prior = { readonly mean: Float64Array; readonly spread: Spread };

/** A normal distribution of the coefficients, by its mean and its precision (the inverse of the covariance), and how many passes over the observations it took. */
export type LogisticFit = {
  readonly mean: Float64Array;
  readonly precision: SymmetricMatrix;
  readonly spread: Spread;
  /** Passes over all observations. Those over a sample are not counted. */
  readonly passes: number;
  /** The sums of each part of the observations, at coefficients that differ from the mean by less than matters. */
  readonly parts: readonly ObservationSums[];
};

/** The largest number of passes over the observations, and the largest step after which none is needed, in standard deviations of the posterior. */
const passes_max = 50;
const tolerance = 5e-3;

/** How many observations a first fit is made from, whose result is the start of the fit of all. */
const sample_rows = 4_000;

/**
 * Fits the logistic model by Laplace's approximation: the mode of the posterior, and the precision there, H = P + Σ ω p (1 - p) x x'.
 * Newton's method, one pass over the observations for each step. A step that does not improve the posterior is halved, so that it converges from any start.
 *
 * The spread of the exchangeable coefficients is estimated from the same observations (empirical Bayes: expectation and maximisation, MacKay 1992): if observations show
 * that exchangeable coefficients differ a lot, few observations move one far; if they show nothing, it stays with the others.
 */
export function fitLogistic(
  prior: Prior,
  observations: Observations,
  start: Float64Array = prior.mean,
): LogisticFit {
  const sample = drawSample(observations, start.length);
  return improveFit(prior, observations, sample ? improveFit(prior, sample, start).mean : start);
}

/** Draws every n-th observation; nothing if there are few. */
function drawSample(
  { features, values, weights }: Observations,
  feature_count: number,
): Observations | undefined {
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

/** Where a fit is: coefficients, and the sums of the observations there. */
type Place = { readonly coefficients: Float64Array; readonly sums: ReturnType<typeof sumObservations> };

/** After so many passes the spread stays as it is, so that steps have one aim. */
const spread_passes = 5;

function improveFit(
  { mean, spread: expected }: Prior,
  observations: Observations,
  start: Float64Array,
): LogisticFit {
  let place: Place = { coefficients: start, sums: sumObservations(observations, start) };
  let spread = expected;
  let passes = 1;
  for (;;) {
    if (passes <= spread_passes) spread = estimateSpread({ mean, spread: expected }, spread, place);
    const precision = addVectors(buildPrecision(spread, mean.length), place.sums.curvature);
    const { step, length } = computeStep({ mean, spread }, place, precision);
    const { parts } = place.sums;
    if (length < tolerance)
      return { mean: addVectors(place.coefficients, step), precision, spread, passes, parts };
    const next = takeStep({ mean, spread }, observations, { place, step, passes_left: passes_max - passes });
    if (!next) return { mean: place.coefficients, precision, spread, passes: passes_max, parts };
    passes += next.passes;
    ({ place } = next);
  }
}

/** Takes a step, or the first of its halves, quarters and so on that improves the posterior; undefined if none does. */
function takeStep(
  prior: Prior,
  observations: Observations,
  {
    place,
    step,
    passes_left,
  }: { readonly place: Place; readonly step: Float64Array; readonly passes_left: number },
): { readonly place: Place; readonly passes: number } | undefined {
  const loss = computeLoss(prior, place);
  for (let passes = 1, share = 1; passes <= passes_left && share > 1e-3; passes += 1, share /= 2) {
    const coefficients = addVectors(place.coefficients, step, share);
    const next = { coefficients, sums: sumObservations(observations, coefficients) };
    if (computeLoss(prior, next) <= loss + 1e-9) return { place: next, passes };
  }
  return undefined;
}

/** Computes minus the logarithm of the posterior, up to a constant. */
function computeLoss({ mean, spread }: Prior, { coefficients, sums }: Place): number {
  const deviations = addVectors(coefficients, mean, -1);
  const pulls = multiplySymmetric(buildPrecision(spread, mean.length), deviations);
  return sums.loss + 0.5 * deviations.reduce((sum, deviation, place) => sum + deviation * pulls[place]!, 0);
}

/** Computes the step of Newton's method, and its length in standard deviations: sqrt(s'Hs), where Hs is the gradient. */
function computeStep(
  prior: Prior,
  place: Place,
  precision: SymmetricMatrix,
): { readonly step: Float64Array; readonly length: number } {
  const gradient = computeGradient(prior, place.coefficients, place.sums);
  const step = solveFactorised(cholesky(precision), gradient);
  const square = gradient.reduce((sum, slope, index) => sum + slope * step[index]!, 0);
  return { step, length: Math.sqrt(Math.max(0, square)) };
}

/** Computes the gradient of the logarithm of the posterior. */
export function computeGradient(
  { mean, spread }: Prior,
  coefficients: Float64Array,
  { gradient }: Pick<ObservationSums, 'gradient'>,
): Float64Array {
  const pulls = multiplySymmetric(buildPrecision(spread, mean.length), addVectors(coefficients, mean, -1));
  return addVectors(gradient, pulls, -1);
}

/** How many coefficients' worth of belief the expected spread has. */
const spread_weight = 4;
const spread_rounds = 60;
const spreadLimits = { min: 0.02, max: 10 } as const;

/**
 * Estimates how far exchangeable coefficients are from what is expected, all together and from each other, from the observations near a place: the spread that makes them most
 * probable, with the expected one counted as four more coefficients. Needs no pass over the observations.
 */
function estimateSpread(
  { mean, spread: expected }: Prior,
  before: Spread,
  { coefficients, sums }: Place,
): Spread {
  let spread = before;
  for (let round = 0; round < spread_rounds; round += 1) {
    const covariance = invertMatrix(addVectors(buildPrecision(spread, mean.length), sums.curvature));
    const gradient = computeGradient({ mean, spread }, coefficients, sums);
    const mode = addVectors(coefficients, multiplySymmetric(covariance, gradient));
    const next = countSpread(expected, addVectors(mode, mean, -1), covariance);
    const change = Math.abs(next.own / spread.own - 1) + Math.abs(next.shared / spread.shared - 1);
    spread = next;
    if (change < 1e-3) break;
  }
  return spread;
}

/** One round: the mean squares of the deviations, each with its uncertainty. */
function countSpread(expected: Spread, deviations: Float64Array, covariance: SymmetricMatrix): Spread {
  const size = deviations.length;
  const exchangeable = size - expected.others.length;
  let [sum, squares, variances, total] = [0, 0, 0, 0];
  for (let row = 0; row < exchangeable; row += 1) {
    sum += deviations[row]!;
    squares += deviations[row]! ** 2;
    variances += covariance[row * size + row]!;
    for (let column = 0; column < exchangeable; column += 1)
      total += covariance[Math.max(row, column) * size + Math.min(row, column)]!;
  }
  const shared = sum / exchangeable;
  const apart = squares - exchangeable * shared ** 2 + variances - total / exchangeable;
  const together = shared ** 2 + total / exchangeable ** 2;
  return {
    ...expected,
    own: limitSpread((spread_weight * expected.own ** 2 + apart) / (spread_weight + exchangeable - 1)),
    shared: limitSpread((spread_weight * expected.shared ** 2 + together) / (spread_weight + 1)),
  };
}

function limitSpread(variance: number): number {
  return Math.min(spreadLimits.max, Math.max(spreadLimits.min, Math.sqrt(variance)));
}

/** Builds the precision of what is believed about so many coefficients before any observation. */
export function buildPrecision({ shared, own, others }: Spread, size: number): SymmetricMatrix {
  const exchangeable = size - others.length;
  const covariance = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    if (row < exchangeable) covariance.fill(shared ** 2, row * size, row * size + exchangeable);
    covariance[row * size + row]! += (row < exchangeable ? own : others[row - exchangeable]!) ** 2;
  }
  return invertMatrix(covariance);
}

function addVectors(one: Float64Array, other: Float64Array, share = 1): Float64Array {
  return one.map((value, place) => value + share * other[place]!);
}
