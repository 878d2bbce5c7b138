import type { PackedFilter } from './engine/facts.ts';
import type { Found } from './engine/scan-strips.ts';
import type { Scanner } from './engine/scanner.ts';
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
export async function topMembers(
  scanner: Scanner,
  jobs: readonly ArrayLike<number>[],
  k: number,
): Promise<readonly (readonly ScoredMember[])[]> {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`k is ${k}, not a whole number from 0.`);
  const queries = jobs.map((weights) => seeded(scanner, wholeWeights(weights), k));
  const found = await scanner.scan(queries);
  const tops: (readonly ScoredMember[])[] = [];
  for (const [index, query] of queries.entries())
    tops.push(best(await atLeast(scanner, query, found[index]!, k), k));
  return tops;
}

type Seeded = { readonly weights: Uint8Array; readonly threshold: number; readonly filter: undefined };

function seeded(scanner: Scanner, weights: Uint8Array, k: number): Seeded {
  return { weights, threshold: seedThreshold(scanner, { weights, filter: undefined }, k), filter: undefined };
}

/** What was found, and where that is fewer than `k` of all there are, what a scan finds for twice and twice as many. */
async function atLeast(scanner: Scanner, query: Seeded, found: Found, k: number): Promise<Found> {
  let [threshold, wanted, enough] = [query.threshold, k, found];
  while (enough.length / 2 < k && threshold > lowestScore) {
    wanted = Math.max(1, 4 * wanted);
    // The same sample may say the same again; then everybody is looked at.
    const lower = seedThreshold(scanner, query, wanted);
    threshold = lower < threshold ? lower : lowestScore;
    [enough = found] = await scanner.scan([{ ...query, threshold }]);
  }
  return enough;
}

/** A score that about twice `wanted` members reach whom the filter lets pass; the lowest where there may be fewer. */
export function seedThreshold(
  scanner: Scanner,
  { weights, filter }: { readonly weights: Uint8Array; readonly filter: PackedFilter | undefined },
  wanted: number,
): number {
  const { found, members } = scanner.sample({ weights, filter, threshold: lowestScore });
  const rank = Math.ceil((2 * wanted * members) / Math.max(1, scanner.population.ids.size)) + spare;
  return rank > found.length / 2 ? lowestScore : nthScore(found, rank);
}

/** A sample has few of the best, and may have fewer by chance. */
const spare = 4;

/** The `rank`-th highest score of pairs, from 1. */
function nthScore(found: Found, rank: number): number {
  if (rank > insertedRank) {
    const scores = found.filter((_, index) => index % 2 === 1).sort();
    return scores[scores.length - rank]!;
  }
  const top = new Int32Array(rank).fill(lowestScore);
  for (let index = 1; index < found.length; index += 2) {
    const score = found[index]!;
    if (score <= top[rank - 1]!) continue;
    let place = rank - 1;
    for (; place > 0 && top[place - 1]! < score; place -= 1) top[place] = top[place - 1]!;
    top[place] = score;
  }
  return top[rank - 1]!;
}

/** Up to this rank, keeping the best in order is quicker than sorting the sample. */
const insertedRank = 64;

/** The first `k` pairs, highest score first, then lowest position: as single numbers, which sort ten times as fast as objects. */
function best(found: Found, k: number): readonly ScoredMember[] {
  const keys = new Float64Array(found.length / 2);
  for (let index = 0; index < keys.length; index += 1)
    keys[index] = (lowestScore - found[2 * index + 1]!) * positions + found[2 * index]!;
  return Array.from(keys.sort().subarray(0, k), (key) => {
    const position = ((key % positions) + positions) % positions;
    return { position, score: lowestScore - (key - position) / positions };
  });
}

/** More than there are positions; times the largest score it stays a whole number of a double. */
const positions = 2 ** 28;

/** Weights as the scan takes them. Throws a RangeError on anything but 24 integers from 0 to 127. */
export function wholeWeights(weights: ArrayLike<number>): Uint8Array {
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
