import { normalCdf } from '@tessera/psychometrics';
import {
  computeLeastMean,
  matchQualities,
  type FitWeights,
  type MatchQuality,
} from '#modules/matching/engine';
import type { GroupMoments, Matrix } from './group-moments.ts';

/**
 * What a comparison says. `significant`: the difference is unlikely to be chance. `insufficient`: too few people, so that neither equal rates nor a ratio below four
 * fifths can be ruled out. `none`: a ratio below four fifths can be ruled out.
 */
export const impactFlags = ['none', 'significant', 'insufficient'] as const;

/** How often a group would be rated strong or better, compared with the group that would be the most often. */
export type GroupImpact = {
  readonly group: string;
  /** From 0 to 1. */
  readonly rate: number;
  readonly impact_ratio: number;
  /** The 95 % interval of the ratio; null for the group with the highest rate. */
  readonly ratio_from: number | null;
  readonly ratio_to: number | null;
  readonly below_four_fifths: boolean;
  readonly flag: (typeof impactFlags)[number] | null;
};

/** The groups of an attribute, by name; at least two. */
export type Groups = ReadonlyMap<string, GroupMoments>;

/** What the rates of groups depend on. */
type ImpactWeights = Pick<FitWeights, 'effects' | 'shared_sd'>;

export const four_fifths = 0.8;

/** The standard normal quantile of 0.975, for an interval of 95 %. */
const interval_quantile = 1.959964;

/**
 * Computes how often each group would be rated strong or better with the weights of a job. The fit of a person is v·x, for the effects v of a job's priorities and the estimates x. Within a group it
 * is taken as normal with mean v·m and variance v'Cv, so that the rate is Φ(u), u = (v·m - c) / √(v'Cv), where c is the least fit that is rated strong with the mean error
 * of the group and the error that all members share. By the delta method, u has the variance (1 + u²/2) / n, the log of Φ(u) has (φ(u)/Φ(u))² times that, and the log of a ratio has the sum of both.
 */
export function computeImpact(weights: ImpactWeights, groups: Groups): readonly GroupImpact[] {
  const rates = [...groups].map(([group, moments]) => ({ group, ...computeRate(weights, moments) }));
  const highest = rates.reduce((best, each) => (each.rate > best.rate ? each : best));
  return rates.map((each) => {
    const { group, rate } = each;
    const impact_ratio = rate / highest.rate;
    const row = { group, rate, impact_ratio, below_four_fifths: impact_ratio < four_fifths };
    if (each === highest) return { ...row, ratio_from: null, ratio_to: null, flag: null };
    const width = Math.exp(interval_quantile * Math.sqrt(each.log_variance + highest.log_variance));
    const [ratio_from, ratio_to] = [impact_ratio / width, impact_ratio * width];
    const flag = ratio_to < 1 ? 'significant' : ratio_from < four_fifths ? 'insufficient' : 'none';
    return { ...row, ratio_from, ratio_to, flag };
  });
}

/** Computes the lowest ratio of the groups of an attribute. */
export function computeLowestRatio(weights: ImpactWeights, groups: Groups): number {
  const rates = [...groups.values()].map((moments) => computeRate(weights, moments).rate);
  return Math.min(...rates) / Math.max(...rates);
}

/** Rates are at least one in a million, so that ratios exist. */
const lowest_rate = 1e-6;

function computeRate(
  weights: ImpactWeights,
  moments: GroupMoments,
): { readonly rate: number; readonly log_variance: number } {
  const place = computePlace(weights, moments, 'strong');
  const rate = Math.max(lowest_rate, normalCdf(place));
  const density = Math.exp((-place * place) / 2) / Math.sqrt(2 * Math.PI);
  return { rate, log_variance: ((density / rate) ** 2 * (1 + place ** 2 / 2)) / moments.people };
}

/** Computes u, so that the share of a group with a tier or a better one is Φ(u). */
function computePlace(
  { effects, shared_sd }: ImpactWeights,
  { mean, covariance, error }: GroupMoments,
  quality: Exclude<MatchQuality, 'developing'>,
): number {
  let [centre, uncertainty] = [0, 0];
  for (let slot = 0; slot < effects.length; slot++) {
    centre += effects[slot]! * mean[slot]!;
    uncertainty += effects[slot]! ** 2 * error[slot]!;
  }
  const spread = Math.sqrt(Math.max(1e-12, multiply(effects, covariance, effects)));
  return (centre - computeLeastMean(quality, Math.sqrt(uncertainty), shared_sd)) / spread;
}

/** Computes how many people of groups that have nobody in common would have each tier, the best tier first. */
export function computeTierSizes(
  weights: ImpactWeights,
  groups: readonly GroupMoments[],
): ReadonlyMap<MatchQuality, number> {
  const countAbove = (quality: MatchQuality) =>
    groups.reduce((sum, moments) => {
      const share = quality === 'developing' ? 1 : normalCdf(computePlace(weights, moments, quality));
      return sum + moments.people * share;
    }, 0);
  let above = 0;
  return new Map(
    matchQualities.map((quality) => {
      const reached = countAbove(quality);
      const size = reached - above;
      above = reached;
      return [quality, size];
    }),
  );
}

/** Computes a'Mb. */
export function multiply(one: ArrayLike<number>, matrix: Matrix, other: ArrayLike<number>): number {
  let total = 0;
  for (let row = 0; row < one.length; row++) {
    if (one[row] === 0) continue;
    const cells = matrix[row]!;
    let sum = 0;
    for (let column = 0; column < one.length; column++) sum += cells[column]! * other[column]!;
    total += one[row]! * sum;
  }
  return total;
}
