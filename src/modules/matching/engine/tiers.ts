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

/** The standard normal quantile of 0.8, the required probability that the true fit reaches the cut of a tier. */
const certaintyQuantile = 0.8416212335729143;

/**
 * Computes the fit that a member reaches with 80 % probability: mean - 0.8416 sd, for a normal posterior. The tiers are cuts on this number,
 * because P(z >= c) >= 0.8 is equivalent to mean - 0.8416 sd >= c. An order by this number therefore never puts a lower tier before a higher.
 */
export function computeLowerBound(mean: number, sd: number): number {
  return mean - certaintyQuantile * sd;
}

/**
 * Computes the highest tier that the fit reaches with 80 % probability; `developing` if it reaches none. Requiring a probability instead of
 * a mean above the cut reduces the share of undeserved tiers to about a third (simulated at a cut of 1 and sd 0.5: from 25.8 % to 9.4 %).
 */
export function computeTier(mean: number, sd: number): MatchQuality {
  const bound = computeLowerBound(mean, sd);
  return tierCuts.find(([, cut]) => bound >= cut)?.[0] ?? 'developing';
}

/** Computes the least mean with which a fit of this standard deviation has a tier or a better one: the inverse of {@link computeTier}. */
export function computeLeastMean(quality: Exclude<MatchQuality, 'developing'>, sd: number): number {
  return tierCuts.find(([name]) => name === quality)![1] + certaintyQuantile * sd;
}

/**
 * Computes the probability that the same member gets the same tier after another assessment of the same precision.
 *
 * The reliability of the fit is r = 1 - sd², because its standard deviation in the population is 1. Given the true fit z, the mean of the
 * second posterior is normal around r z with the variance r sd². As z is normal with the mean and variance of the first posterior, the
 * second mean is normal around r mean with the variance r (1 + r) sd². The second tier follows from it as the first one did.
 */
export function computeRetestProbability(mean: number, sd: number): number {
  const reliability = Math.max(0, 1 - sd * sd);
  const spread = sd * Math.sqrt(reliability * (1 + reliability));
  const expected = computeLowerBound(reliability * mean, sd);
  const [lower, upper] = findTierBounds(computeTier(mean, sd));
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
