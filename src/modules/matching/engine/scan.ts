import type { PackedFilter } from './facts.ts';
import type { ScoredPairs } from './scan-strips.ts';
import type { Scanner } from './scanner.ts';
import { largestWeight, slotCount } from './slots.ts';

/** Lower than every score: the lowest is -24 * 127 * 127 = -387,096. */
export const lowestScore = -(slotCount * largestWeight * largestWeight) - 1;

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
export function selectNthScore(pairs: ScoredPairs, rank: number): number {
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
