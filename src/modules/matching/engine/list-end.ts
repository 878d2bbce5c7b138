import { shortlistLimits, type JobMatch } from './shortlist.ts';
import { computeLeastBound, matchQualities, rankQuality, type MatchQuality } from './tiers.ts';

/** Where a full list ends: what another match must reach to be among the best. */
export type ListEnd = {
  /** The place of the last match's tier in `matchQualities`: 0 for the best. */
  readonly tier: number;
  /** How well the job suits its member, in whole hundredths. The organisation's values, which only a computation of the job knows, may make it less. */
  readonly suitability: number;
};

/** Finds where the list of a computation of a job ends; null if it has room for others. */
export function findListEnd(
  shortlist: readonly JobMatch[],
  limit: number = shortlistLimits.matches,
): ListEnd | null {
  const last = shortlist[limit - 1];
  if (last === undefined) return null;
  // Without a negative zero, which JSON does not have.
  return { tier: rankQuality(last.quality), suitability: Math.round(100 * last.choice) + 0 };
}

/** Says whether a match may be among the best of a job whose full list ends here. If not, a computation of the job would leave it out. */
export function canEnterList(
  end: ListEnd | null,
  { quality, suitability }: Pick<JobMatch, 'quality' | 'suitability'>,
): boolean {
  if (end === null) return true;
  const tier = rankQuality(quality);
  return tier < end.tier || (tier === end.tier && suitability >= end.suitability);
}

/** Computes a lower bound of a fit below which no match of the tier moderate or better reaches the end of a list. */
export function computeLeastListedBound(end: ListEnd | null): number {
  const least = computeLeastBound('moderate');
  if (end === null) return least;
  const better = matchQualities[end.tier - 1] as Exclude<MatchQuality, 'developing'> | undefined;
  // The suitability is at most the bound, and was rounded.
  const ofTier = (end.suitability - 0.5) / 100;
  return Math.max(least, better ? Math.min(ofTier, computeLeastBound(better)) : ofTier);
}
