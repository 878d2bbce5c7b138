import { normalCdf } from '@tessera/psychometrics';
import type { LatentVector } from '#modules/measurement/traits';
import { archetypeTemplates, type ArchetypeTemplate } from './templates.ts';

/** The nearest archetype to a trait vector, the second nearest, and the confidence in the assignment. */
export type Assignment = {
  readonly template: ArchetypeTemplate;
  readonly runner_up: ArchetypeTemplate;
  /** The weighted cosine of the vector and the template, -1 to 1; 0 for a vector of zeros. */
  readonly similarity: number;
  /** A low estimate of P(this template is also nearest to the member's true traits), 0 to 1. */
  readonly confidence: number;
};

/**
 * Assigns the template with the largest weighted cosine, Σ w·m·t / sqrt(Σ w·m² Σ w·t²), where m is the posterior mean and
 * w = 1 / (s² + 0.1) for a posterior variance s². Precisely measured traits have more weight, and the 0.1 prevents a single trait from
 * dominating (matching study of this project, section 1). Of equal templates the first in the list is assigned, so that the same vector
 * always has the same archetype.
 */
export function assignArchetype({ mean, variance }: LatentVector): Assignment {
  const weights = computeWeights(variance);
  const directions = archetypeTemplates.map(({ vector }) => normaliseVector(weights, vector));
  const length = Math.sqrt(computeDotProduct(weights, mean, mean));
  const similarities = directions.map((each) =>
    length === 0 ? 0 : computeDotProduct(weights, each, mean) / length,
  );
  const best = findLargestIndex(similarities);
  const second = findLargestIndex(similarities.map((each, index) => (index === best ? -Infinity : each)));
  return {
    template: archetypeTemplates[best]!,
    runner_up: archetypeTemplates[second]!,
    similarity: similarities[best]!,
    confidence: directions.reduce(
      (product, other, index) =>
        index === best
          ? product
          : product * computeNearerProbability(weights, directions[best]!, other, { mean, variance }),
      1,
    ),
  };
}

/** Computes the linear form of each template whose value is its weighted cosine times the length of the vector. */
export function computeDirections(variance: readonly number[]): readonly (readonly number[])[] {
  const weights = computeWeights(variance);
  return archetypeTemplates.map(({ vector }) =>
    normaliseVector(weights, vector).map((each, slot) => weights[slot]! * each),
  );
}

/** Finds the index of the template that is nearest to a vector, with the result of {@link computeDirections}. */
export function findNearest(directions: readonly (readonly number[])[], mean: ArrayLike<number>): number {
  let [nearest, largest] = [0, -Infinity];
  for (const [index, direction] of directions.entries()) {
    let sum = 0;
    for (let slot = 0; slot < direction.length; slot += 1) sum += direction[slot]! * mean[slot]!;
    if (sum > largest) [nearest, largest] = [index, sum];
  }
  return nearest;
}

function computeWeights(variance: readonly number[]): readonly number[] {
  return variance.map((spread) => 1 / (spread + 0.1));
}

/** Converts a confidence to a label, for readers who may not see numbers. It is never `high` if the measurement is provisional. */
export function toConfidenceLevel(confidence: number, provisional = false): 'high' | 'medium' | 'low' {
  if (confidence >= 0.8 && !provisional) return 'high';
  return confidence >= 0.5 ? 'medium' : 'low';
}

/**
 * Computes P(true traits are nearer to `one` than to `other`). Both cosines are divided by the same length of the traits, so their order
 * is the sign of Σ w·(one - other)·m. For normally distributed traits this sum is normal too, with its mean at the posterior mean and the
 * variance Σ (w·(one - other))²·s². The product over all others is a lower estimate of P(nearest to `one`), because the differences to the
 * others are nearly all positively correlated (Slepian's inequality).
 */
function computeNearerProbability(
  weights: readonly number[],
  one: readonly number[],
  other: readonly number[],
  { mean, variance }: LatentVector,
): number {
  const gradient = weights.map((weight, slot) => weight * (one[slot]! - other[slot]!));
  const margin = gradient.reduce((sum, each, slot) => sum + each * mean[slot]!, 0);
  const spread = gradient.reduce((sum, each, slot) => sum + each * each * variance[slot]!, 0);
  if (spread === 0) return margin === 0 ? 0.5 : 1;
  return Math.min(1, Math.max(0, normalCdf(margin / Math.sqrt(spread))));
}

/** Scales a vector to a weighted length of 1. */
function normaliseVector(weights: readonly number[], vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(computeDotProduct(weights, vector, vector));
  return vector.map((each) => each / length);
}

function computeDotProduct(
  weights: readonly number[],
  one: readonly number[],
  other: readonly number[],
): number {
  return weights.reduce((sum, weight, slot) => sum + weight * one[slot]! * other[slot]!, 0);
}

function findLargestIndex(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}
