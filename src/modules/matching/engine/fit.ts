import { traitFamilies, type TraitPriorities } from '#modules/traits';
import { traitSlotCount, toTraitWeights } from './slots.ts';

/** The posterior of a member's fit for a job, in standard deviations of the fit in the population; 0 is average. It never leaves the service. */
export type Fit = { readonly mean: number; readonly sd: number };

/** The correlation of two traits of one family in the population: the prior R, until it is calibrated with answers. */
const withinFamily = 0.4;

/** The correlation of two traits of different families. */
const acrossFamilies = 0.1;

/**
 * Computes the job weights divided by the standard deviation of their sum in the population, sqrt(w'Rw). The fits of all jobs are then on
 * one scale, so that the same cuts apply to all jobs. R has 1 on the diagonal, 0.4 within a family and 0.1 across families, so that
 * w'Rw = 0.6 Σ w² + 0.3 Σ (family sum)² + 0.1 (sum)². The source of R is the prior of the trait model in this project's matching study.
 *
 * @throws RangeError if no priority is above zero.
 */
export function computeStandardWeights(priorities: TraitPriorities): Float64Array {
  const weights = toTraitWeights(priorities);
  const largest = Math.max(...weights);
  if (largest === 0) throw new RangeError('At least one trait priority must be above zero.');
  // Scaled to a largest weight of 1 first, because the squares of tiny priorities would underflow.
  const scaled = weights.map((weight) => weight / largest);
  const deviation = Math.sqrt(computePopulationVariance(scaled));
  return scaled.map((weight) => weight / deviation);
}

/**
 * Computes z = w·mu / sqrt(w'Rw) and Var = w'Sw / w'Rw from the standard weights of a job and a member's posterior means mu and variances S,
 * 20 numbers each from `offset`. S is diagonal: posterior covariances of traits are small once items are answered, so they are not stored.
 */
export function computeFit(
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

function computePopulationVariance(weights: Float64Array): number {
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
