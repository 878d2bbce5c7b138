import { continuousTraits, traitCodes, type CategoricalTrait, type ContinuousTrait } from '../taxonomy.ts';
import type { CategoricalPosterior } from './categorical.ts';
import type { Posterior } from './posterior.ts';
import { computePosition } from './trait-words.ts';

/** A continuous trait as shown to its member: a percentile of the population, from 0 to 1, with 95 % bounds. */
export type TraitScore = {
  readonly trait_name: ContinuousTrait;
  readonly score: number;
  readonly confidence: number;
  readonly lower_bound: number;
  readonly upper_bound: number;
};

export type CategoricalTraitScore = {
  readonly trait_name: CategoricalTrait;
  readonly primary: string;
  readonly distribution: readonly { readonly value: string; readonly probability: number }[];
  readonly confidence: number;
};

/** The trait vector of the specification, without the member and the time of the measurement. */
export type TraitVector = {
  readonly overall_confidence: number;
  readonly traits: readonly TraitScore[];
  readonly categorical_traits: readonly CategoricalTraitScore[];
};

/** Means and variances in the twenty slots of the taxonomy, in population standard deviations. Matching reads this form. */
export type LatentVector = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/**
 * Builds the trait vector that the member reads. Score and bounds are the normal percentiles of the mean and of its 95 % bounds; the confidence
 * is 1 - variance, which is 0 before any answer.
 */
export function buildTraitVector(
  posterior: Pick<Posterior, 'mean' | 'variance'>,
  categorical: readonly CategoricalPosterior[],
): TraitVector {
  const traits = continuousTraits.map((trait_name, index) => ({
    trait_name,
    ...computePosition({ mean: posterior.mean[index]!, variance: posterior.variance[index]! }),
  }));
  const categorical_traits = categorical.map(({ trait, primary, distribution, confidence }) => ({
    trait_name: trait,
    primary,
    distribution,
    confidence,
  }));
  const confidences = [...traits, ...categorical_traits].map((score) => score.confidence);
  return {
    overall_confidence: confidences.reduce((sum, value) => sum + value, 0) / confidences.length,
    traits,
    categorical_traits,
  };
}

/**
 * Builds the vector that matching reads. Continuous slots are those of the posterior; categorical slots compare the ways of
 * acting in `slotValues` with the others.
 */
export function buildLatentVector(
  posterior: Pick<Posterior, 'mean' | 'variance'>,
  categorical: readonly CategoricalPosterior[],
): LatentVector {
  const slots = traitCodes.map((code) => {
    const index = continuousTraits.findIndex((trait) => trait === code);
    if (index >= 0) return { mean: posterior.mean[index]!, variance: posterior.variance[index]! };
    const ways = categorical.find(({ trait }) => trait === code);
    if (ways === undefined) throw new Error(`no posterior of ${code}`);
    return ways.slot;
  });
  return { mean: slots.map(({ mean }) => mean), variance: slots.map(({ variance }) => variance) };
}
