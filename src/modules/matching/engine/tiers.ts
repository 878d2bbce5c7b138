import { normalCdf } from '@tessera/psychometrics';

/** The tiers of a match, best first. Members and organisations see them instead of a number. */
export const matchQualities = ['exceptional', 'strong', 'moderate', 'developing'] as const;

export type MatchQuality = (typeof matchQualities)[number];

/** How probable it is that the tier is the same after another assessment. */
export const confidenceLevels = ['high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof confidenceLevels)[number];

/** The fit that each tier requires, in standard deviations of the fit in the population, best first. */
const tierCuts = [
  ['exceptional', 1.5],
  ['strong', 1.0],
  ['moderate', 0.3],
] as const satisfies readonly (readonly [MatchQuality, number])[];

/** The lower bound of a fit from which on it has a tier or a better one. */
export function computeLeastBound(quality: Exclude<MatchQuality, 'developing'>): number {
  return tierCuts.find(([name]) => name === quality)![1];
}

/** The place of a tier, 0 for the best. */
export function rankQuality(quality: MatchQuality): number {
  return matchQualities.indexOf(quality);
}

/** The standard normal quantile of 0.8, the required probability that the true fit reaches the cut of a tier. */
const certaintyQuantile = 0.8416212335729143;

/**
 * Computes the fit that a member reaches with 80 % certainty: mean - q (own + shared), q = 0.8416. The standard deviation `sd` has two
 * parts, sd² = own² + shared². The errors of the members themselves differ, so that they average out over a list. The shared error (`shared_sd`) is one
 * draw for the whole list, and would make all of it too generous. So the bound holds with 80 % for each member even if the shared error is
 * as unfavourable as the fifth part of its draws. Without a shared error, this is the 20 % quantile of a normal posterior.
 *
 * The tiers are cuts on this number. An order by it therefore never puts a lower tier before a higher. It falls as `sd` rises.
 */
export function computeLowerBound(mean: number, sd: number, shared_sd: number): number {
  return mean - computeMargin(sd, shared_sd);
}

function computeMargin(sd: number, shared_sd: number): number {
  const own = Math.sqrt(Math.max(0, sd * sd - shared_sd * shared_sd));
  return certaintyQuantile * (own + shared_sd);
}

/**
 * Computes the highest tier whose cut the lower bound of the fit reaches; `developing` if it reaches none. Requiring a probability instead of
 * a mean above the cut reduces the share of undeserved tiers to about a third (simulated at a cut of 1 and sd 0.5: from 25.8 % to 9.4 %).
 */
export function computeTier(mean: number, sd: number, shared_sd: number): MatchQuality {
  return toTier(computeLowerBound(mean, sd, shared_sd));
}

/** Converts a lower bound to its tier. */
export function toTier(bound: number): MatchQuality {
  return tierCuts.find(([, cut]) => bound >= cut)?.[0] ?? 'developing';
}

/** Computes the least mean with which a fit has a tier or a better one: the inverse of {@link computeTier}. */
export function computeLeastMean(
  quality: Exclude<MatchQuality, 'developing'>,
  sd: number,
  shared_sd: number,
): number {
  return computeLeastBound(quality) + computeMargin(sd, shared_sd);
}

/**
 * Computes the probability that the same member gets the same tier after another assessment of the same precision. All errors are drawn again, the
 * shared one too: a calibration corrects it, and a tier that depends on it does not hold.
 *
 * The reliability of the fit is r = 1 - sd², because its standard deviation in the population is 1. Given the true fit z, the mean of the
 * second posterior is normal around r z with the variance r sd². As z is normal with the mean and variance of the first posterior, the
 * second mean is normal around r mean with the variance r (1 + r) sd². The second tier follows from it as the first one did.
 */
export function computeRetestProbability(mean: number, sd: number, shared_sd: number): number {
  const reliability = Math.max(0, 1 - sd * sd);
  const spread = sd * Math.sqrt(reliability * (1 + reliability));
  const expected = computeLowerBound(reliability * mean, sd, shared_sd);
  const [lower, upper] = findTierBounds(computeTier(mean, sd, shared_sd));
  if (spread === 0) return Number(lower <= expected && expected < upper);
  return normalCdf((upper - expected) / spread) - normalCdf((lower - expected) / spread);
}

/** Finds the range of lower bounds that lead to a tier: from the first number to below the second. */
function findTierBounds(quality: MatchQuality): readonly [lower: number, upper: number] {
  const cuts = [Infinity, ...tierCuts.map(([, cut]) => cut), -Infinity];
  const place = matchQualities.indexOf(quality);
  return [cuts[place + 1]!, cuts[place]!];
}

/** The smallest probability of the same tier after another assessment for each confidence level above `low`. */
const confidenceCuts = { high: 0.8, medium: 0.6 } as const;

/**
 * Converts the probability that a tier holds after another assessment to a confidence level. It is never `high` if the measurement is
 * provisional, because another assessment would repeat the errors of uncalibrated parameters.
 */
export function toConfidenceLevel(probability: number, provisional = false): ConfidenceLevel {
  if (probability >= confidenceCuts.high && !provisional) return 'high';
  return probability >= confidenceCuts.medium ? 'medium' : 'low';
}
