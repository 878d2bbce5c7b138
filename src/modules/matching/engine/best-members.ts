import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { readLeastSd, type PackedFilter } from './facts.ts';
import { computeVectorLength, type FitWeights } from './fit.ts';
import { locateFacts } from './layout.ts';
import type { Population } from './population.ts';
import type { ScoredPairs } from './scan-strips.ts';
import { estimateThreshold, lowestScore } from './scan.ts';
import type { Scanner } from './scanner.ts';
import type { ScanQuery } from './strip-scanner.ts';
import { computeWeightScale, largestMean, quantiseWeights, slotScale } from './slots.ts';
import { computeLowerBound } from './tiers.ts';

/** A member who may be a match. `bound` is an upper limit of the lower bound of the fit. */
export type BoundedMember = { readonly position: number; readonly bound: number };

/** Found members, highest bound first. `rest` is the highest bound of all other members with a fit above average; -Infinity if there are none. */
export type BestMembers = { readonly found: readonly BoundedMember[]; readonly rest: number };

/** A search for members: a job's fit weights and filter, the wanted number of matches, and the number of earlier passes. */
export type MemberQuery = {
  readonly weights: FitWeights;
  readonly filter: PackedFilter;
  readonly limit: number;
  readonly passes: number;
};

/**
 * Collects the best members of several jobs in one scan. Each further pass collects four times as many. The population must not change meanwhile.
 * Many jobs take a second of this thread in all, so other work comes in between.
 */
export async function collectBestMembers(
  scanner: Scanner,
  jobs: readonly MemberQuery[],
  endLongTurn: () => Promise<void> = createTurnEnder(),
): Promise<readonly BestMembers[]> {
  const queries: ScanQuery[] = [];
  for (const job of jobs) {
    await endLongTurn();
    const weights = quantiseWeights(job.weights.relative);
    queries.push({ weights, filter: job.filter, threshold: computeThreshold(scanner, weights, job) });
  }
  const pairs = await scanner.scan(queries);
  const best: BestMembers[] = [];
  for (const [index, job] of jobs.entries())
    best.push(
      await selectBestMembers(scanner.population, job, pairs[index]!, queries[index]!.threshold, endLongTurn),
    );
  return best;
}

/**
 * Computes the lowest score that the scan collects: at least the one of an average fit. Members are ordered by bound and the scan by
 * mean, and a more certain member with a mean a few tenths of a standard deviation lower can have the higher bound. Collecting twice the
 * number of members covers most of these members.
 */
function computeThreshold(scanner: Scanner, weights: Uint8Array, job: MemberQuery): number {
  const averageScore = computeLowestScore(job.weights.relative, 0);
  const estimate = estimateThreshold(scanner, { weights, filter: job.filter }, 2 * computeMemberCount(job));
  return Math.max(averageScore, estimate === lowestScore ? averageScore : estimate);
}

/** Computes how many members a pass returns. The bounds are accurate to a few hundredths, so a few more than the matches suffice. */
function computeMemberCount({ limit, passes }: MemberQuery): number {
  return Math.ceil((limit * 1.2 + 100) * 4 ** passes);
}

async function selectBestMembers(
  population: Population,
  job: MemberQuery,
  pairs: ScoredPairs,
  threshold: number,
  endLongTurn: () => Promise<void>,
): Promise<BestMembers> {
  await endLongTurn();
  const keys = buildBoundKeys(population, job.weights, pairs);
  const selected = keys.subarray(0, computeMemberCount(job));
  const found = Array.from(selected, (key) => ({ position: readPosition(key), bound: readBound(key) }));
  const nextBound = keys.length > selected.length ? readBound(keys[selected.length]!) : -Infinity;
  return { found, rest: Math.max(nextBound, computeBoundBelow(population, job.weights, threshold)) };
}

/**
 * Builds sorted keys of the members, highest bound first. A key combines a bound and a position in one number, because numbers sort ten
 * times as fast as objects.
 */
function buildBoundKeys(
  { words, threads }: Population,
  { relative, effects, shared_sd }: FitWeights,
  pairs: ScoredPairs,
): Float64Array {
  const scale = computeWeightScale(relative) * slotScale;
  const error = computeQuantisationError(relative) + 2 / scale;
  const norm = computeVectorLength(effects);
  const keys = new Float64Array(pairs.length / 2);
  for (let index = 0; index < keys.length; index += 1) {
    const position = pairs[2 * index]!;
    const sd = readLeastSd(words[locateFacts(threads, position)]!) * norm;
    const bound = computeLowerBound(pairs[2 * index + 1]! / scale + error, sd, shared_sd);
    keys[index] = -Math.ceil(bound * boundSteps) * positions + position;
  }
  return keys.sort();
}

const boundSteps = 1e6;
/** More than the largest population. Multiplied by a bound in steps, it is still an exact integer in a double. */
const positions = 2 ** 28;

function readPosition(key: number): number {
  return ((key % positions) + positions) % positions;
}

function readBound(key: number): number {
  return -(key - readPosition(key)) / positions / boundSteps;
}

/** Computes the highest possible bound of members below the threshold; -Infinity if none of them can have a fit above average. */
function computeBoundBelow(
  { leastSd, ids }: Population,
  { relative, effects, shared_sd }: FitWeights,
  threshold: number,
): number {
  if (ids.size === 0 || threshold <= computeLowestScore(relative, 0)) return -Infinity;
  const scale = computeWeightScale(relative) * slotScale;
  return computeLowerBound(
    (threshold + 1) / scale + computeQuantisationError(relative),
    leastSd * computeVectorLength(effects),
    shared_sd,
  );
}

/** Computes the lowest quantised score of a fit of `mean`. One unit covers the rounding of floating-point numbers. */
function computeLowestScore(weights: Float64Array, mean: number): number {
  return Math.floor((mean - computeQuantisationError(weights)) * computeWeightScale(weights) * slotScale) - 1;
}

/** Computes how far a fit can differ from its score: by half a step for each slot, and by the known rounding error of each weight. */
function computeQuantisationError(weights: Float64Array): number {
  const scale = computeWeightScale(weights);
  let error = 0;
  for (const weight of weights)
    error += weight / (2 * slotScale) + Math.abs(weight - Math.round(scale * weight) / scale) * largestMean;
  return error;
}
