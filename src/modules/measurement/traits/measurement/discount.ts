import type { Moments } from '@tessera/psychometrics';
import type { CategoricalPosterior } from './categorical.ts';

/**
 * Weighs a measurement against the population: with the probability `trust` the answers mean what they say, and otherwise the member is
 * anybody, with mean 0 and variance 1. Returns the means of both means and of both variances. The variance of the mixture itself would also
 * contain the distance of the means, so that extreme answers would be less certain than none.
 */
export function discountMoments({ mean, variance }: Moments, trust: number): Moments {
  return { mean: trust * mean, variance: trust * variance + (1 - trust) };
}

/** Weighs the probability of one of `count` values against all values being equally probable. */
export function discountProbability(probability: number, count: number, trust: number): number {
  return trust * probability + (1 - trust) / count;
}

/** Discounts the means and variances of a posterior or of the slots of a latent vector. */
export function discountVector(
  { mean, variance }: { readonly mean: readonly number[]; readonly variance: readonly number[] },
  trust: number,
): { readonly mean: readonly number[]; readonly variance: readonly number[] } {
  const moments = mean.map((value, slot) =>
    discountMoments({ mean: value, variance: variance[slot]! }, trust),
  );
  return { mean: moments.map((each) => each.mean), variance: moments.map((each) => each.variance) };
}

/** Discounts the probabilities of a categorical trait. */
export function discountChoices<Choices extends Pick<CategoricalPosterior, 'distribution' | 'confidence'>>(
  posterior: Choices,
  trust: number,
): Choices {
  const { distribution, confidence } = posterior;
  const discountShare = (probability: number) => discountProbability(probability, distribution.length, trust);
  return {
    ...posterior,
    distribution: distribution.map(({ value, probability }) => ({
      value,
      probability: discountShare(probability),
    })),
    confidence: discountShare(confidence),
  };
}
