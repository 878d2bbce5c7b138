import {
  categoricalTraits,
  continuousTraits,
  traitCodes,
  type CategoricalTrait,
  type ContinuousTrait,
} from '../taxonomy.ts';
import { priorCount, type CategoricalPosterior } from './categorical.ts';
import type { Posterior } from './posterior.ts';
import { digamma, normalCdf, trigamma } from './special-functions.ts';

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
 * Builds the trait vector that the member reads. Score and bounds are the normal percentiles of mean and mean ± 1.96 sd; the confidence
 * is 1 - variance, which is 0 before any answer.
 */
export function buildTraitVector(
  posterior: Pick<Posterior, 'mean' | 'variance'>,
  categorical: readonly CategoricalPosterior[],
): TraitVector {
  const traits = continuousTraits.map((trait, index) =>
    computeTraitScore(trait, posterior.mean[index]!, posterior.variance[index]!),
  );
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
 * Builds the vector that matching reads. Continuous slots are those of the posterior; categorical slots are the standardised log-odds of
 * the ways of acting in `slotValues`.
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
    return computeStandardisedLogOdds(ways);
  });
  return { mean: slots.map(({ mean }) => mean), variance: slots.map(({ variance }) => variance) };
}

/** The ways of acting whose joint log-odds are the slot of a categorical trait in matching: acting with others, or by reason. */
export const slotValues: Readonly<Record<CategoricalTrait, readonly string[]>> = {
  conflict_style: ['collaborating', 'compromising'],
  decision_mode: ['rational', 'consultative'],
};

function computeTraitScore(trait: ContinuousTrait, mean: number, variance: number): TraitScore {
  const margin = 1.96 * Math.sqrt(variance);
  return {
    trait_name: trait,
    score: normalCdf(mean),
    confidence: Math.min(1, Math.max(0, 1 - variance)),
    lower_bound: normalCdf(mean - margin),
    upper_bound: normalCdf(mean + margin),
  };
}

/**
 * The share p of a group of components of a Dirichlet vector is Beta(A, B), where A and B are the sums inside and outside the group, so
 * that ln(p / (1 - p)) has mean psi(A) - psi(B) and variance psi'(A) + psi'(B). The prior has A = 2 * 1/2 and B = 3 * 1/2: mean
 * psi(1) - psi(3/2) = -0.6137, variance psi'(1) + psi'(3/2) = 2.5797 (sd 1.6061). Standardising with these gives every slot mean 0 and
 * variance 1 before any answer, like the continuous slots.
 */
function computeStandardisedLogOdds({ trait, concentration }: CategoricalPosterior): {
  mean: number;
  variance: number;
} {
  const values: readonly string[] = categoricalTraits[trait];
  const isInside = values.map((value) => slotValues[trait].includes(value));
  const sumCounts = (counts: readonly number[], inside: boolean) =>
    counts.reduce((sum, count, index) => (isInside[index] === inside ? sum + count : sum), 0);
  const prior = values.map(() => priorCount);
  const before = computeLogOdds(sumCounts(prior, true), sumCounts(prior, false));
  const after = computeLogOdds(sumCounts(concentration, true), sumCounts(concentration, false));
  return {
    mean: (after.mean - before.mean) / Math.sqrt(before.variance),
    variance: Math.min(1, after.variance / before.variance),
  };
}

function computeLogOdds(inside: number, outside: number): { mean: number; variance: number } {
  return { mean: digamma(inside) - digamma(outside), variance: trigamma(inside) + trigamma(outside) };
}
