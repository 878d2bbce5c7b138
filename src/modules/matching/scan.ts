import { blockMembers, populationSize, type Population } from './population.ts';
import { largestWeight, slotCount } from './slots.ts';

/** A member and its quantised score: Σ weight * slot, in units that only an order of one job's members can use. */
export type ScoredMember = { readonly member_id: string; readonly score: number };

/**
 * Scores every member for one job into `out[position]`: the exact integer dot product of 24 weights (integers 0..127) and 24 slots,
 * within ±387,096. Columns of weight zero are not read. Throws a RangeError on other weights, or where `out` is too short.
 */
export function scoreAll(population: Population, weights: ArrayLike<number>, out: Int32Array): void {
  const size = populationSize(population);
  assertWeights(weights);
  if (out.length < size) throw new RangeError(`The output holds ${out.length} scores, not ${size}.`);
  const columns = weightedColumns(weights);
  for (let start = 0; start < size; start += blockMembers) {
    const lanes = Math.min(blockMembers, size - start);
    out.fill(0, start, start + lanes);
    for (const quad of columns) addQuad(population.slots, start, lanes, quad, out);
  }
}

/**
 * The `k` members of the highest quantised score, best first, exactly; equal scores in order of position. All members where there are
 * no more than `k`. Time is linear in members whatever the scores are.
 */
export function topMembers(
  population: Population,
  weights: ArrayLike<number>,
  k: number,
): readonly ScoredMember[] {
  const scores = new Int32Array(populationSize(population));
  scoreAll(population, weights, scores);
  const { threshold, ties } = kthScore(scores, k);
  return positionsAtLeast(scores, threshold, ties)
    .map((position) => ({ member_id: population.ids[position]!, score: scores[position]! }))
    .sort((a, b) => b.score - a.score);
}

/** Positions whose score is above the threshold, and the first `ties` of those that equal it, in order of position. */
export function positionsAtLeast(scores: Int32Array, threshold: number, ties = Infinity): number[] {
  const positions: number[] = [];
  let left = ties;
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position]!;
    if (score < threshold) continue;
    if (score === threshold && (left -= 1) < 0) continue;
    positions.push(position);
  }
  return positions;
}

/**
 * The `k`-th highest score, and how many members that equal it belong to the first `k`: a radix selection, by 64 scores a bucket and
 * then within the bucket, which ties and sorted input cannot slow down. Where there are at most `k` scores, all belong.
 */
export function kthScore(
  scores: Int32Array,
  k: number,
): { readonly threshold: number; readonly ties: number } {
  if (!Number.isSafeInteger(k) || k < 0) throw new RangeError(`k is ${k}, not a whole number from 0.`);
  if (k >= scores.length) return { threshold: -largestScore, ties: scores.length };
  const bucket = takeFromTop(countBuckets(scores), k);
  const lowest = bucket.index * bucketScores - largestScore;
  const step = takeFromTop(countWithin(scores, lowest), bucket.left);
  return { threshold: lowest + step.index, ties: step.left };
}

const bucketBits = 6;
const bucketScores = 1 << bucketBits;
/** 24 * 127 * 127, rounded up to whole buckets. */
const largestScore = Math.ceil((slotCount * largestWeight * largestWeight) / bucketScores) * bucketScores;

// Indexed loops, here and below: `for…of` over a typed array took twice as long. The length is read once and the counts stay in 32-bit
// integers, or the compiler, which puts both loops into one function, makes it two and a half times as slow.
function countBuckets(scores: Int32Array): Int32Array {
  const counts = new Int32Array((2 * largestScore) / bucketScores + 1);
  const size = scores.length;
  for (let position = 0; position < size; position += 1) {
    const bucket = (scores[position]! + largestScore) >> bucketBits;
    counts[bucket] = (counts[bucket]! + 1) | 0;
  }
  return counts;
}

function countWithin(scores: Int32Array, lowest: number): Int32Array {
  const counts = new Int32Array(bucketScores);
  const size = scores.length;
  for (let position = 0; position < size; position += 1) {
    const step = (scores[position]! - lowest) | 0;
    if (step >= 0 && step < bucketScores) counts[step] = (counts[step]! + 1) | 0;
  }
  return counts;
}

/** Goes down from the highest bucket until it holds the last of the `wanted`: that bucket, and how many to take from it. */
function takeFromTop(counts: Int32Array, wanted: number): { readonly index: number; readonly left: number } {
  let left = wanted;
  for (let index = counts.length - 1; index > 0; index -= 1) {
    const count = counts[index]!;
    if (count >= left) return { index, left };
    left -= count;
  }
  return { index: 0, left };
}

/** Four columns by their offsets within a block, and their weights. */
type Quad = { readonly offsets: readonly number[]; readonly weights: readonly number[] };

function assertWeights(weights: ArrayLike<number>): void {
  if (weights.length !== slotCount)
    throw new RangeError(`There are ${weights.length} weights, not ${slotCount}.`);
  for (let slot = 0; slot < slotCount; slot += 1) {
    const weight = weights[slot]!;
    if (!Number.isInteger(weight) || weight < 0 || weight > largestWeight) {
      throw new RangeError(
        `The weight of slot ${slot} is ${weight}, not an integer from 0 to ${largestWeight}.`,
      );
    }
  }
}

/** Columns in fours, since one pass over four columns loads and stores the sums once; a last column of weight 0 fills up. */
function weightedColumns(weights: ArrayLike<number>): readonly Quad[] {
  const slots = Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => weights[slot]! > 0);
  const quads: Quad[] = [];
  for (let first = 0; first < slots.length; first += 4) {
    const four = Array.from({ length: 4 }, (_, index) => slots[first + index]);
    quads.push({
      offsets: four.map((slot) => (slot ?? 0) * blockMembers),
      weights: four.map((slot) => (slot === undefined ? 0 : weights[slot]!)),
    });
  }
  return quads;
}

function addQuad(slots: Int8Array, start: number, lanes: number, quad: Quad, out: Int32Array): void {
  const block = start * slotCount;
  const a = block + quad.offsets[0]!;
  const b = block + quad.offsets[1]!;
  const c = block + quad.offsets[2]!;
  const d = block + quad.offsets[3]!;
  const [wa = 0, wb = 0, wc = 0, wd = 0] = quad.weights;
  for (let lane = 0; lane < lanes; lane += 1) {
    // Math.imul and `| 0` keep the loop in 32-bit integers.
    const sum = Math.imul(wa, slots[a + lane]!) + Math.imul(wb, slots[b + lane]!);
    const more = Math.imul(wc, slots[c + lane]!) + Math.imul(wd, slots[d + lane]!);
    out[start + lane] = (out[start + lane]! + sum + more) | 0;
  }
}
