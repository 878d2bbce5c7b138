import { estimateThreshold, lowestScore, selectNthScore } from '../../src/modules/matching/engine/scan.ts';
import type { ScoredPairs } from '../../src/modules/matching/engine/scan-strips.ts';
import type { Scanner } from '../../src/modules/matching/engine/scanner.ts';
import { largestWeight, slotCount } from '../../src/modules/matching/engine/slots.ts';

/** The position of a member in the population and its quantised score, Σ weight * slot. Scores are comparable within one job only. */
export type ScoredMember = { readonly position: number; readonly score: number };

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
