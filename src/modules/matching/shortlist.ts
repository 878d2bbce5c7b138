import type { TraitPriorities } from '#modules/traits';
import { fitOf, standardWeights, type Fit } from './fit.ts';
import { populationSize, type Population } from './population.ts';
import { confidenceOf, lowerBound, tierOf, type ConfidenceLevel, type MatchQuality } from './rules.ts';
import { kthScore, positionsAtLeast, scoreAll } from './scan.ts';
import { largestMean, quantiseWeights, slotScale, traitSlotCount, weightScale } from './slots.ts';

/** A match of one job, before it is stored. `fit` stays inside the service; what leaves is `quality` and `confidence_level`. */
export type JobMatch = {
  readonly member_id: string;
  readonly fit: Fit;
  readonly quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
};

/** How many matches of one job are kept, of all tiers, and of the lowest tier. */
export const shortlistLimits = { matches: 1000, developing: 200 } as const;

/**
 * The matches of one job that are worth storing, best lower bound first, then by member id: those of a tier of moderate or better, up
 * to `limit`, and in the room that is left up to 200 `developing` ones. A member whose fit is not above average is no match at all:
 * nothing is stored about people a job does not suit. As tiers are cuts on the lower bound, the cap never drops a higher tier for a
 * lower one.
 *
 * Exact. The integer scan finds a floor that the `limit` best lower bounds reach for certain; everybody whose score, within the error
 * of quantisation, allows a mean at that floor (a lower bound is never above its mean) is measured in floats.
 *
 * The order is for choosing and for tests. A list that people see goes by tier and then by the match's own id, which is random
 * (version 4, drawn when the match is first stored): stable, different for every job, and silent about rank. Member ids would not do,
 * as the same people would lead every list.
 */
export function matchJob(
  population: Population,
  traitPriorities: TraitPriorities,
  options: { readonly limit?: number } = {},
): readonly JobMatch[] {
  const { limit = shortlistLimits.matches } = options;
  const weights = standardWeights(traitPriorities);
  const scores = new Int32Array(populationSize(population));
  scoreAll(population, quantiseWeights(weights), scores);
  const floor = lowerBoundFloor(population, weights, scores, limit);
  const matches = positionsAtLeast(scores, lowestScore(weights, Math.max(0, floor)))
    .map((position) => ({ position, fit: fitAt(population, weights, position) }))
    .filter(({ fit }) => fit.mean > 0 && lowerBound(fit.mean, fit.sd) >= floor)
    .map(({ position, fit }) => matchOf(population.ids[position]!, fit))
    .sort(byLowerBound)
    .slice(0, limit);
  return withoutExcess(matches);
}

/** The labels of a member's fit for a job. */
export function matchOf(member_id: string, fit: Fit): JobMatch {
  return { member_id, fit, quality: tierOf(fit.mean, fit.sd), confidence_level: confidenceOf(fit.sd) };
}

function fitAt(population: Population, weights: Float64Array, position: number): Fit {
  return fitOf(weights, population.means, population.variances, position * traitSlotCount);
}

/**
 * The `limit`-th best lower bound among the 2 * `limit` members of the highest score: the true one cannot be below it. Twice, because
 * a sample that also holds the surer members sets a higher floor and leaves fewer to measure. -Infinity where fewer have a match.
 */
function lowerBoundFloor(
  population: Population,
  weights: Float64Array,
  scores: Int32Array,
  limit: number,
): number {
  const { threshold, ties } = kthScore(scores, 2 * limit);
  const bounds = positionsAtLeast(scores, threshold, ties)
    .map((position) => fitAt(population, weights, position))
    .filter((fit) => fit.mean > 0)
    .map((fit) => lowerBound(fit.mean, fit.sd))
    .sort((a, b) => b - a);
  return bounds[limit - 1] ?? -Infinity;
}

/**
 * The lowest quantised score that a mean fit of `mean` can have. A slot is off by half a step at most and a weight by its own rounding
 * error, which is known; one more unit covers the rounding of the floats.
 */
function lowestScore(weights: Float64Array, mean: number): number {
  const scale = weightScale(weights);
  let error = 0;
  for (const weight of weights) {
    error += weight / (2 * slotScale) + Math.abs(weight - Math.round(scale * weight) / scale) * largestMean;
  }
  return Math.floor((mean - error) * scale * slotScale) - 1;
}

function byLowerBound(a: JobMatch, b: JobMatch): number {
  const difference = lowerBound(b.fit.mean, b.fit.sd) - lowerBound(a.fit.mean, a.fit.sd);
  return difference || (a.member_id < b.member_id ? -1 : 1);
}

function withoutExcess(matches: readonly JobMatch[]): readonly JobMatch[] {
  const developing = matches.findIndex((match) => match.quality === 'developing');
  return developing === -1 ? matches : matches.slice(0, developing + shortlistLimits.developing);
}
