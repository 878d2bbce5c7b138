import type { MatchQuality } from '#modules/matching/engine';
import { shortlistLimits } from '#modules/matching/engine';
import type { Reader } from '#platform/database/database.ts';
import { countOpenTiers } from '../store.ts';

/** How many open matches jobs have in each tier. */
export type TierCounts = {
  /** Counts the open matches of a tier of a job. A list that is too long is shortened afterwards. */
  count(job_id: string, quality: MatchQuality): number;
  /** Adds a match to a tier of a job. @returns the number of its matches, with this one. */
  add(job_id: string, quality: MatchQuality): number;
};

/** Reads how many open matches jobs have in each tier, from stored numbers. */
export async function readTierCounts(db: Reader, job_ids: readonly string[]): Promise<TierCounts> {
  const counts = job_ids.length === 0 ? [] : await countOpenTiers(db, [...new Set(job_ids)]);
  const formatTier = (job_id: string, quality: MatchQuality) => `${job_id} ${quality}`;
  const open = new Map(counts.map((each) => [formatTier(each.job_id, each.match_quality), each.count]));
  const count: TierCounts['count'] = (job_id, quality) =>
    Math.min(shortlistLimits.matches - 1, open.get(formatTier(job_id, quality)) ?? 0);
  return {
    count,
    add: (job_id, quality) => {
      const candidates = 1 + count(job_id, quality);
      open.set(formatTier(job_id, quality), candidates);
      return candidates;
    },
  };
}
