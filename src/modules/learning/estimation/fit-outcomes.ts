import { belonging_count, feature_count, logistic, trait_count, type Outcomes } from './features.ts';
import { cholesky, invertMatrix, solveFactorised, type SymmetricMatrix } from './symmetric-matrix.ts';

/** What is believed about the coefficients: a normal distribution with a mean and a precision (the inverse of the covariance). */
export type Belief = { readonly mean: Float64Array; readonly precision: SymmetricMatrix };

/** The posterior, and how many passes over the outcomes it took. */
export type OutcomeFit = Belief & { readonly passes: number };

/** Before any outcome: a better fit is a better outcome, each trait as much as the organisation's priority says. */
const prior = {
  slope: 0.5,
  shared_sd: 0.5,
  trait_sd: 0.3,
  belonging_sd: 0.3,
  intercept_sd: 2,
} as const;

/** How far the coefficients of one job family may be from those of all jobs, before any outcome of the family. */
const familySpread = { shared_sd: 0.2, trait_sd: 0.2, belonging_sd: 0.2, intercept_sd: 0.5 } as const;

/** Builds the belief before any outcome. The coefficients of the traits share a part of their variance, so that outcomes which say that the fit as a whole matters more or less say so of all traits. */
export function buildPrior(): Belief {
  const mean = new Float64Array(feature_count);
  mean.fill(prior.slope, 0, trait_count);
  return { mean, precision: buildPrecision(prior) };
}

/** Builds the belief about a job family before its outcomes: that it is like all jobs. */
export function buildFamilyPrior({ mean }: Belief): Belief {
  return { mean, precision: buildPrecision(familySpread) };
}

function buildPrecision(spread: {
  readonly shared_sd: number;
  readonly trait_sd: number;
  readonly belonging_sd: number;
  readonly intercept_sd: number;
}): SymmetricMatrix {
  const covariance = new Float64Array(feature_count ** 2);
  for (let row = 0; row < feature_count; row += 1) {
    const shared = row < trait_count ? trait_count : 0;
    for (let column = 0; column < shared; column += 1)
      covariance[row * feature_count + column] = spread.shared_sd ** 2;
    covariance[row * feature_count + row]! += selectDeviation(spread, row) ** 2;
  }
  return invertMatrix(covariance, feature_count);
}

function selectDeviation(
  spread: { readonly trait_sd: number; readonly belonging_sd: number; readonly intercept_sd: number },
  feature: number,
): number {
  if (feature < trait_count) return spread.trait_sd;
  return feature < trait_count + belonging_count ? spread.belonging_sd : spread.intercept_sd;
}

/** The largest number of passes over the outcomes, and the largest change of a coefficient at which passes end. */
const passes_max = 25;
const tolerance = 1e-6;

/**
 * Fits the logistic model of outcomes by Laplace's approximation: the mode of the posterior, and the precision there, H = P + Σ ω p (1 - p) x x'.
 * Newton's method, one pass over the outcomes for each step. A step that does not improve the posterior is halved, so that it converges from any start.
 */
export function fitOutcomes(
  belief: Belief,
  outcomes: Outcomes,
  start: Float64Array = belief.mean,
): OutcomeFit {
  let coefficients = Float64Array.from(start);
  let passes = 0;
  let current = sumOutcomes(belief, outcomes, coefficients);
  for (passes = 1; passes < passes_max; passes += 1) {
    const step = solveFactorised(cholesky(current.precision, feature_count), feature_count, current.gradient);
    const change = Math.max(...step.map(Math.abs));
    if (change < tolerance) break;
    let share = 1;
    let next: Accumulated | undefined;
    for (; share > 1e-3 && passes < passes_max; share /= 2, passes += 1) {
      const moved = coefficients.map((value, index) => value + share * step[index]!);
      const candidate = sumOutcomes(belief, outcomes, moved);
      if (candidate.loss > current.loss + 1e-9) continue;
      next = candidate;
      coefficients = moved;
      break;
    }
    if (!next) break;
    current = next;
  }
  return { mean: coefficients, precision: current.precision, passes };
}

type Accumulated = {
  readonly gradient: Float64Array;
  readonly precision: SymmetricMatrix;
  /** The negative logarithm of the posterior, up to a constant. */
  readonly loss: number;
};

/** One pass: the gradient and the precision of the posterior at some coefficients. */
export function sumOutcomes(
  { mean, precision: priorPrecision }: Belief,
  { features, values, weights }: Outcomes,
  coefficients: Float64Array,
): Accumulated {
  const gradient = new Float64Array(feature_count);
  const precision = Float64Array.from(priorPrecision);
  let loss = 0;
  for (let row = 0, from = 0; row < values.length; row += 1, from += feature_count) {
    let sum = 0;
    for (let i = 0; i < feature_count; i += 1) sum += coefficients[i]! * features[from + i]!;
    const weight = weights[row]!;
    const value = values[row]!;
    const probability = logistic(sum);
    const residual = weight * (value - probability);
    const curvature = weight * probability * (1 - probability);
    loss += weight * (Math.max(sum, 0) - value * sum + Math.log1p(Math.exp(-Math.abs(sum))));
    for (let i = 0, place = 0; i < feature_count; i += 1, place = i * feature_count) {
      const feature = features[from + i]!;
      gradient[i]! += residual * feature;
      const curved = curvature * feature;
      for (let j = 0; j <= i; j += 1) precision[place + j]! += curved * features[from + j]!;
    }
  }
  return { ...addPrior(gradient, mean, priorPrecision, coefficients, loss), precision };
}

function addPrior(
  gradient: Float64Array,
  mean: Float64Array,
  precision: SymmetricMatrix,
  coefficients: Float64Array,
  loss: number,
): Pick<Accumulated, 'gradient' | 'loss'> {
  let total = loss;
  for (let i = 0; i < feature_count; i += 1) {
    let pull = 0;
    for (let j = 0; j < feature_count; j += 1)
      pull += precision[Math.max(i, j) * feature_count + Math.min(i, j)]! * (coefficients[j]! - mean[j]!);
    gradient[i]! -= pull;
    total += 0.5 * pull * (coefficients[i]! - mean[i]!);
  }
  return { gradient, loss: total };
}
