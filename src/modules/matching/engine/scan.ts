import type { PackedFilter } from './facts.ts';
import type { ScoredPairs } from './scan-strips.ts';
import type { Scanner } from './scanner.ts';
import { largestWeight, slotCount } from './slots.ts';

/** Where a member stands in the population, and its quantised score: Σ weight * slot, which only orders one job's members. */
export type ScoredMember = { readonly position: number; readonly score: number };

/** Below every score: 24 * 127 * 127 = 387,096. */
export const lowestScore = -(slotCount * largestWeight * largestWeight) - 1;

/**
 * The `k` members of the highest quantised score for each of several jobs, best first, exactly; equal scores in order of position. All
 * members where there are no more than `k`.
 *
 * A sample says which score about twice as many will reach, one scan over all jobs at once collects those, and where they are fewer than
 * `k` after all, it is done again with a lower threshold. The population must not change meanwhile. Throws a RangeError on weights that
 * are not 24 integers from 0 to 127, and on a `k` that is no whole number.
 */
export async function findTopMembers(
  scanner: Scanner,
  jobs: readonly ArrayLike<number>[],
  k: number,
): Promise<readonly (readonly ScoredMember[])[]> {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`k is ${k}, not a whole number from 0.`);
  const queries = jobs.map((weights) => buildQuery(scanner, parseWeights(weights), k));
  const found = await scanner.scan(queries);
  const tops: (readonly ScoredMember[])[] = [];
  for (const [index, query] of queries.entries())
    tops.push(selectBestMembers(await scanUntilEnough(scanner, query, found[index]!, k), k));
  return tops;
}

type SeededQuery = { readonly weights: Uint8Array; readonly threshold: number; readonly filter: undefined };

function buildQuery(scanner: Scanner, weights: Uint8Array, k: number): SeededQuery {
  return {
    weights,
    threshold: estimateThreshold(scanner, { weights, filter: undefined }, k),
    filter: undefined,
  };
}

/** What was found, and where that is fewer than `k` of all there are, what a scan finds for twice and twice as many. */
async function scanUntilEnough(
  scanner: Scanner,
  query: SeededQuery,
  found: ScoredPairs,
  k: number,
): Promise<ScoredPairs> {
  let [threshold, wanted, enough] = [query.threshold, k, found];
  while (enough.length / 2 < k && threshold > lowestScore) {
    wanted = Math.max(1, 4 * wanted);
    // The same sample may say the same again; then everybody is looked at.
    const lower = estimateThreshold(scanner, query, wanted);
    threshold = lower < threshold ? lower : lowestScore;
    [enough = found] = await scanner.scan([{ ...query, threshold }]);
  }
  return enough;
}

/** A score that about twice `wanted` members reach whom the filter lets pass; the lowest where there may be fewer. */
export function estimateThreshold(
  scanner: Scanner,
  { weights, filter }: { readonly weights: Uint8Array; readonly filter: PackedFilter | undefined },
  wanted: number,
): number {
  const { size } = scanner.population.ids;
  // So large that some thirty of the wanted are in it, if it can be: then their number in it tells their number in all.
  const sampled = Math.min(largestSample, Math.max(smallestSample, (30 * size) / Math.max(1, wanted)));
  const { found, members } = scanner.sample({ weights, filter, threshold: lowestScore }, sampled);
  const rank = Math.ceil((2 * wanted * members) / Math.max(1, size)) + spare;
  return rank > found.length / 2 ? lowestScore : selectNthScore(found, rank);
}

const smallestSample = 1_024;
const largestSample = 4_096;

/** A sample has few of the best, and may have fewer by chance. */
const spare = 4;

/** The `rank`-th highest score of pairs, from 1: by quickselect (Hoare), as sorting all of them takes five times as long. */
function selectNthScore(found: ScoredPairs, rank: number): number {
  const scores = new Int32Array(found.length / 2);
  for (let index = 0; index < scores.length; index += 1) scores[index] = found[2 * index + 1]!;
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

/** The first `k` pairs, highest score first, then lowest position: as single numbers, which sort ten times as fast as objects. */
function selectBestMembers(found: ScoredPairs, k: number): readonly ScoredMember[] {
  const size = found.length / 2;
  const least = k > 0 && k < size ? selectNthScore(found, k) : lowestScore;
  const keys = new Float64Array(size);
  let kept = 0;
  for (let index = 0; index < size; index += 1) {
    const score = found[2 * index + 1]!;
    if (score < least) continue;
    keys[kept] = (highestScore - score) * positions + found[2 * index]!;
    kept += 1;
  }
  const sorted = keys.subarray(0, kept).sort();
  const members = Array<ScoredMember>(Math.min(k, kept));
  for (let index = 0; index < members.length; index += 1) {
    const above = Math.floor(sorted[index]! / positions);
    members[index] = { position: sorted[index]! - above * positions, score: highestScore - above };
  }
  return members;
}

const highestScore = -lowestScore;

/** More than there are positions; times the range of scores it stays a whole number of a double. */
const positions = 2 ** 28;

/** Weights as the scan takes them. Throws a RangeError on anything but 24 integers from 0 to 127. */
function parseWeights(weights: ArrayLike<number>): Uint8Array {
  if (weights.length !== slotCount)
    throw new RangeError(`There are ${weights.length} weights, not ${slotCount}.`);
  for (let slot = 0; slot < slotCount; slot += 1) {
    const weight = weights[slot]!;
    if (!Number.isInteger(weight) || weight < 0 || weight > largestWeight)
      throw new RangeError(
        `The weight of slot ${slot} is ${weight}, not an integer from 0 to ${largestWeight}.`,
      );
  }
  return Uint8Array.from(weights);
}
