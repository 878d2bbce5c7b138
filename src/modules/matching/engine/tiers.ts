/** The tiers of a match, best first. Members and organisations see them instead of a number. */
export const matchQualities = ['exceptional', 'strong', 'moderate', 'developing'] as const;

export type MatchQuality = (typeof matchQualities)[number];

/** How certain the tier is. */
export const confidenceLevels = ['high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof confidenceLevels)[number];

/** The fit that each tier requires, in standard deviations of the fit in the population, best first. */
const tierCuts = [
  ['exceptional', 1.5],
  ['strong', 1.0],
  ['moderate', 0.3],
] as const satisfies readonly (readonly [MatchQuality, number])[];

/** The required probability that the true fit reaches the cut of a tier. */
export const tierCertainty = 0.8;

/** The standard normal quantile of {@link tierCertainty}. */
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

/** Converts the posterior standard deviation of a fit to a confidence level. */
export function toConfidenceLevel(sd: number): ConfidenceLevel {
  if (sd <= 0.35) return 'high';
  return sd <= 0.5 ? 'medium' : 'low';
}
