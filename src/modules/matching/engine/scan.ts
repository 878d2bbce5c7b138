import type { PackedFilter } from './facts.ts';
import type { ScoredPairs } from './scan-strips.ts';
import type { Scanner } from './scanner.ts';
import { largestWeight, slotCount } from './slots.ts';

/** The position of a member in the population and its quantised score, Σ weight * slot. Scores are comparable within one job only. */
export type ScoredMember = { readonly position: number; readonly score: number };

/** Lower than every score: the lowest is -24 * 127 * 127 = -387,096. */
export const lowestScore = -(slotCount * largestWeight * largestWeight) - 1;

/**
 * Finds exactly the `k` members with the highest quantised scores for each of several jobs, best first, with equal scores in order of
 * position. If the population is not larger than `k`, the result contains all members.
 *
 * A sample estimates the score that about twice as many members reach, and one scan over all jobs collects these members. If there are
 * fewer than `k`, the scan is repeated with a lower threshold. The population must not change meanwhile.
 *
 * @throws RangeError for weights that are not 24 integers from 0 to 127, and for a `k` that is not a whole number from 0.
 */
export async function findTopMembers(
  scanner: Scanner,
  jobs: readonly ArrayLike<number>[],
  k: number,
): Promise<readonly (readonly ScoredMember[])[]> {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`k must be a whole number from 0, not ${k}.`);
  const queries = jobs.map((weights) => buildQuery(scanner, parseWeights(weights), k));
  const pairs = await scanner.scan(queries);
  const results: (readonly ScoredMember[])[] = [];
  for (const [index, query] of queries.entries())
    results.push(selectBestMembers(await scanUntilEnough(scanner, query, pairs[index]!, k), k));
  return results;
}

type SeededQuery = { readonly weights: Uint8Array; readonly threshold: number; readonly filter: undefined };

function buildQuery(scanner: Scanner, weights: Uint8Array, k: number): SeededQuery {
  return {
    weights,
    threshold: estimateThreshold(scanner, { weights, filter: undefined }, k),
    filter: undefined,
  };
}

/** Repeats a scan with a lower threshold, for four times as many members each time, until it returns `k` members or all of them. */
async function scanUntilEnough(
  scanner: Scanner,
  query: SeededQuery,
  firstPairs: ScoredPairs,
  k: number,
): Promise<ScoredPairs> {
  let [threshold, wanted, pairs] = [query.threshold, k, firstPairs];
  while (pairs.length / 2 < k && threshold > lowestScore) {
    wanted = Math.max(1, 4 * wanted);
    // The same sample may give the same estimate again. Then all members are scanned.
    const lower = estimateThreshold(scanner, query, wanted);
    threshold = lower < threshold ? lower : lowestScore;
    [pairs = firstPairs] = await scanner.scan([{ ...query, threshold }]);
  }
  return pairs;
}

/** Estimates the score that about twice `wanted` members who pass the filter reach; the lowest score if there may be fewer. */
export function estimateThreshold(
  scanner: Scanner,
  { weights, filter }: { readonly weights: Uint8Array; readonly filter: PackedFilter | undefined },
  wanted: number,
): number {
  const { size } = scanner.population.ids;
  // Large enough to contain about thirty of the wanted members if possible, so that the sample represents the population.
  const sampleSize = Math.min(largestSample, Math.max(smallestSample, (30 * size) / Math.max(1, wanted)));
  const { found, members } = scanner.sample({ weights, filter, threshold: lowestScore }, sampleSize);
  const rank = Math.ceil((2 * wanted * members) / Math.max(1, size)) + spareRanks;
  return rank > found.length / 2 ? lowestScore : selectNthScore(found, rank);
}

const smallestSample = 1_024;
const largestSample = 4_096;

/** A margin, because a sample contains few of the best members and may contain fewer of them by chance. */
const spareRanks = 4;

/** Selects the `rank`-th highest score of pairs, counted from 1, by Hoare's quickselect. Sorting takes five times as long. */
function selectNthScore(pairs: ScoredPairs, rank: number): number {
  const scores = new Int32Array(pairs.length / 2);
  for (let index = 0; index < scores.length; index += 1) scores[index] = pairs[2 * index + 1]!;
  let [from, to] = [0, scores.length - 1];
  while (from < to) {
    const pivot = scores[(from + to) >> 1]!;
    let [left, right] = [from, to];
    while (left <= right) {
      while (scores[left]! > pivot) left += 1;
      while (scores[right]! < pivot) right -= 1;
      if (left > right) break;
      const score = scores[left]!;
      scores[left] = scores[right]!;
      scores[right] = score;
      left += 1;
      right -= 1;
    }
    if (rank - 1 <= right) to = right;
    else if (rank - 1 >= left) from = left;
    else break;
  }
  return scores[rank - 1]!;
}

/** Selects the first `k` pairs by descending score and ascending position. It sorts single numbers, which is ten times as fast as sorting objects. */
function selectBestMembers(pairs: ScoredPairs, k: number): readonly ScoredMember[] {
  const size = pairs.length / 2;
  const least = k > 0 && k < size ? selectNthScore(pairs, k) : lowestScore;
  const keys = new Float64Array(size);
  let count = 0;
  for (let index = 0; index < size; index += 1) {
    const score = pairs[2 * index + 1]!;
    if (score < least) continue;
    keys[count] = (highestScore - score) * positions + pairs[2 * index]!;
    count += 1;
  }
  const sorted = keys.subarray(0, count).sort();
  const members = Array<ScoredMember>(Math.min(k, count));
  for (let index = 0; index < members.length; index += 1) {
    const above = Math.floor(sorted[index]! / positions);
    members[index] = { position: sorted[index]! - above * positions, score: highestScore - above };
  }
  return members;
}

const highestScore = -lowestScore;

/** More than the largest population. Multiplied by the range of scores, it is still an exact integer in a double. */
const positions = 2 ** 28;

/** Converts weights for the scan. @throws RangeError unless they are 24 integers from 0 to 127. */
function parseWeights(weights: ArrayLike<number>): Uint8Array {
  if (weights.length !== slotCount)
    throw new RangeError(`There must be ${slotCount} weights, not ${weights.length}.`);
  for (let slot = 0; slot < slotCount; slot += 1) {
    const weight = weights[slot]!;
    if (!Number.isInteger(weight) || weight < 0 || weight > largestWeight)
      throw new RangeError(
        `The weight of slot ${slot} must be an integer from 0 to ${largestWeight}, not ${weight}.`,
      );
  }
  return Uint8Array.from(weights);
}
