import { traitFamilies } from '#modules/traits';
import { traitSlotCount, traitWeights, type TraitPriorities } from './slots.ts';

/** Posterior of a member's fit for a job, in standard deviations of fit in the population: 0 is average. Never leaves the service. */
export type Fit = { readonly mean: number; readonly sd: number };

/** Correlation of two traits of one family, in the population: the prior R, until it is calibrated from answers. */
export const withinFamily = 0.4;

/** Correlation of two traits of different families. */
export const acrossFamilies = 0.1;

/**
 * Job weights divided by the standard deviation of their sum in the population, sqrt(w'Rw): fits of all jobs are then on one scale,
 * and one set of cuts serves them all. R has 1 on the diagonal, 0.4 within a family and 0.1 across, so that
 * w'Rw = 0.6 Σ w² + 0.3 Σ (family sum)² + 0.1 (sum)². The source of R is the prior of the trait model in this project's matching study.
 *
 * @throws RangeError where no priority is above zero, since such a job asks for nothing.
 */
export function standardWeights(priorities: TraitPriorities): Float64Array {
  const weights = traitWeights(priorities);
  const largest = Math.max(...weights);
  if (largest === 0) throw new RangeError('At least one trait priority must be above zero.');
  // Brought to a largest of 1 first, or the squares of tiny priorities would vanish.
  const scaled = weights.map((weight) => weight / largest);
  const deviation = Math.sqrt(populationVariance(scaled));
  return scaled.map((weight) => weight / deviation);
}

/**
 * z = w·mu / sqrt(w'Rw), Var = w'Sw / w'Rw, for the standard weights of a job and a member's posterior means mu and variances S, 20
 * numbers each from `offset`. S is diagonal: the posterior covariances of traits are small once items are answered, and not kept.
 */
export function fitOf(
  weights: Float64Array,
  mean: ArrayLike<number>,
  variance: ArrayLike<number>,
  offset = 0,
): Fit {
  let fit = 0;
  let uncertainty = 0;
  for (let trait = 0; trait < traitSlotCount; trait += 1) {
    const weight = weights[trait]!;
    fit += weight * mean[offset + trait]!;
    uncertainty += weight * weight * variance[offset + trait]!;
  }
  return { mean: fit, sd: Math.sqrt(uncertainty) };
}

/** P(z >= cut) for a normal posterior; certain, 0 or 1, where sd is 0. */
export function probabilityAtLeast(fit: Fit, cut: number): number {
  if (fit.sd === 0) return fit.mean >= cut ? 1 : 0;
  return normalCdf((fit.mean - cut) / fit.sd);
}

/**
 * The standard normal distribution function, with an absolute error of about 1e-15: Hart's rational approximation (1968), as given by G. West, "Better
 * approximations to cumulative normal functions", Wilmott, 2005.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  const tail = size < Math.SQRT1_2 * 10 ? hartTail(size) : farTail(size);
  return x > 0 ? 1 - tail : tail;
}

const hartNumerator = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const hartDenominator = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
  637.333633378831, 793.826512519948, 440.413735824752,
];

function hartTail(x: number): number {
  return (Math.exp((-x * x) / 2) * polynomial(hartNumerator, x)) / polynomial(hartDenominator, x);
}

/** The continued fraction of the tail, where the rational form has lost its digits. */
function farTail(x: number): number {
  const fraction = x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))));
  return Math.exp((-x * x) / 2) / fraction / Math.sqrt(2 * Math.PI);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}

function populationVariance(weights: Float64Array): number {
  let squares = 0;
  let familySquares = 0;
  let sum = 0;
  let slot = 0;
  for (const family of Object.values(traitFamilies)) {
    let familySum = 0;
    for (const weight of weights.subarray(slot, slot + family.length)) {
      squares += weight * weight;
      familySum += weight;
    }
    slot += family.length;
    familySquares += familySum * familySum;
    sum += familySum;
  }
  const family = withinFamily - acrossFamilies;
  return (1 - withinFamily) * squares + family * familySquares + acrossFamilies * sum * sum;
}
