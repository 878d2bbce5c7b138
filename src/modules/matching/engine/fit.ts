import { traitFamilies, type TraitPriorities } from '#modules/traits';
import { traitSlotCount, toTraitWeights } from './slots.ts';

/** Posterior of a member's fit for a job, in standard deviations of fit in the population: 0 is average. Never leaves the service. */
export type Fit = { readonly mean: number; readonly sd: number };

/** Correlation of two traits of one family, in the population: the prior R, until it is calibrated from answers. */
const withinFamily = 0.4;

/** Correlation of two traits of different families. */
const acrossFamilies = 0.1;

/**
 * Job weights divided by the standard deviation of their sum in the population, sqrt(w'Rw): fits of all jobs are then on one scale,
 * and one set of cuts serves them all. R has 1 on the diagonal, 0.4 within a family and 0.1 across, so that
 * w'Rw = 0.6 Σ w² + 0.3 Σ (family sum)² + 0.1 (sum)². The source of R is the prior of the trait model in this project's matching study.
 *
 * @throws RangeError where no priority is above zero, since such a job asks for nothing.
 */
export function computeStandardWeights(priorities: TraitPriorities): Float64Array {
  const weights = toTraitWeights(priorities);
  const largest = Math.max(...weights);
  if (largest === 0) throw new RangeError('At least one trait priority must be above zero.');
  // Brought to a largest of 1 first, or the squares of tiny priorities would vanish.
  const scaled = weights.map((weight) => weight / largest);
  const deviation = Math.sqrt(computePopulationVariance(scaled));
  return scaled.map((weight) => weight / deviation);
}

/**
 * z = w·mu / sqrt(w'Rw), Var = w'Sw / w'Rw, for the standard weights of a job and a member's posterior means mu and variances S, 20
 * numbers each from `offset`. S is diagonal: the posterior covariances of traits are small once items are answered, and not kept.
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
