import { normalCdf, type LatentVector } from '#modules/traits';
import { archetypeTemplates, type ArchetypeTemplate } from './templates.ts';

/** The archetype of a trait vector, the next nearest one, and how sure the measurement makes it. */
export type Assignment = {
  readonly template: ArchetypeTemplate;
  readonly runner_up: ArchetypeTemplate;
  /** The weighted cosine of the vector and the template, -1 to 1; 0 where the vector is. */
  readonly similarity: number;
  /** About P(the member's true traits are nearest to this template too), 0 to 1, rather too low than too high. */
  readonly confidence: number;
};

/**
 * The template with the largest weighted cosine, Σ w·m·t / sqrt(Σ w·m² Σ w·t²), where m is the posterior mean and w = 1 / (s² + 0.1)
 * for a posterior variance s²: what was measured better counts more, and the 0.1 keeps a single trait from deciding alone (this
 * project's matching study, section 1). Of equal ones the first in the list is taken, so that the same vector always has the same
 * archetype.
 */
export function assignArchetype({ mean, variance }: LatentVector): Assignment {
  const weights = variance.map((spread) => 1 / (spread + 0.1));
  const directions = archetypeTemplates.map(({ vector }) => normaliseVector(weights, vector));
  const length = Math.sqrt(dot(weights, mean, mean));
  const similarities = directions.map((each) => (length === 0 ? 0 : dot(weights, each, mean) / length));
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

/** A label for those who are shown no number. */
export function toConfidenceLevel(confidence: number): 'high' | 'medium' | 'low' {
  if (confidence >= 0.8) return 'high';
  return confidence >= 0.5 ? 'medium' : 'low';
}

/**
 * P(true traits are nearer to `one` than to `other`). Both cosines are divided by the same length of the traits, so their order is the sign
 * of Σ w·(one - other)·m, which is normal where the traits are: with the mean at the posterior mean, and the variance Σ (w·(one - other))²·s².
 * The product over all others is a lower estimate of P(nearest to `one`), because what speaks for `one` speaks against all others at
 * once (Slepian's inequality, for differences that correlate positively, as nearly all of these do).
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

/** The vector at a weighted length of 1. */
function normaliseVector(weights: readonly number[], vector: readonly number[]): readonly number[] {
  const length = Math.sqrt(dot(weights, vector, vector));
  return vector.map((each) => each / length);
}

function dot(weights: readonly number[], one: readonly number[], other: readonly number[]): number {
  return weights.reduce((sum, weight, slot) => sum + weight * one[slot]! * other[slot]!, 0);
}

function findLargestIndex(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}
