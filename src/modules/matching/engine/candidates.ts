import { readLeastSd, type PackedFilter } from './facts.ts';
import { locateFacts } from './layout.ts';
import { readId } from './member-ids.ts';
import type { ScoredPairs } from './scan-strips.ts';
import type { Scanner } from './scanner.ts';
import type { Population } from './population.ts';
import { computeLowerBound } from './tiers.ts';
import { lowestScore, estimateThreshold } from './scan.ts';
import { largestMean, quantiseWeights, slotScale, computeWeightScale } from './slots.ts';

/** A member who may be a match: the lower bound of the fit is at most `bound`. */
export type Candidate = { readonly member_id: string; readonly bound: number };

/** Candidates, highest bound first; the bound of everybody else whose fit is above average is at most `rest`, or there is nobody else. */
export type Candidates = { readonly candidates: readonly Candidate[]; readonly rest: number };

/** What is looked for: a job's standard weights and filter, how many matches, and how many times it was looked for already. */
export type CandidateQuery = {
  readonly weights: Float64Array;
  readonly filter: PackedFilter;
  readonly limit: number;
  readonly passes: number;
};

/** Candidates of several jobs by one scan. Every further pass looks for four times as many. The population must not change meanwhile. */
export async function collectCandidates(
  scanner: Scanner,
  jobs: readonly CandidateQuery[],
): Promise<readonly Candidates[]> {
  const queries = jobs.map((wanted) => {
    const weights = quantiseWeights(wanted.weights);
    return { weights, filter: wanted.filter, threshold: computeThreshold(scanner, weights, wanted) };
  });
  const found = await scanner.scan(queries);
  return jobs.map((wanted, index) =>
    selectCandidates(scanner.population, wanted, found[index]!, queries[index]!.threshold),
  );
}

/**
 * The scores to look at. A fit that is above average has at least a certain score. Above that: so many members as are wanted, and then
 * those whose mean is lower by what the surer ones may gain, some tenths of a standard deviation, which twice as many cover mostly.
 */
function computeThreshold(scanner: Scanner, weights: Uint8Array, wanted: CandidateQuery): number {
  const aboveAverage = computeLowestScore(wanted.weights, 0);
  const seed = estimateThreshold(
    scanner,
    { weights, filter: wanted.filter },
    2 * computeCandidateCount(wanted),
  );
  return Math.max(aboveAverage, seed === lowestScore ? aboveAverage : seed);
}

/** How many candidates a pass names. The bounds are within some hundredths of the truth, so few more than the matches are needed. */
function computeCandidateCount({ limit, passes }: CandidateQuery): number {
  return Math.ceil((limit * 1.2 + 100) * 4 ** passes);
}

function selectCandidates(
  population: Population,
  wanted: CandidateQuery,
  found: ScoredPairs,
  threshold: number,
): Candidates {
  const keys = buildBoundKeys(population, wanted.weights, found);
  const named = keys.subarray(0, computeCandidateCount(wanted));
  const candidates = Array.from(named, (key) => ({
    member_id: readId(population.ids, readPosition(key)),
    bound: readBound(key),
  }));
  const unnamed = keys.length > named.length ? readBound(keys[named.length]!) : -Infinity;
  return { candidates, rest: Math.max(unnamed, computeBoundBelow(population, wanted.weights, threshold)) };
}

/** Who was found, highest bound first: bound and position as one number, which sorts ten times as fast as objects. */
function buildBoundKeys(
  { words, threads }: Population,
  weights: Float64Array,
  found: ScoredPairs,
): Float64Array {
  const scale = computeWeightScale(weights) * slotScale;
  const error = computeQuantisationError(weights) + 2 / scale;
  const length = computeNorm(weights);
  const keys = new Float64Array(found.length / 2);
  for (let index = 0; index < keys.length; index += 1) {
    const position = found[2 * index]!;
    const sd = readLeastSd(words[locateFacts(threads, position)]!) * length;
    const bound = computeLowerBound(found[2 * index + 1]! / scale + error, sd);
    keys[index] = -Math.ceil(bound * boundSteps) * positions + position;
  }
  return keys.sort();
}

const boundSteps = 1e6;
/** More than there are; times a bound in steps it stays a whole number of a double. */
const positions = 2 ** 28;

function readPosition(key: number): number {
  return ((key % positions) + positions) % positions;
}

function readBound(key: number): number {
  return -(key - readPosition(key)) / positions / boundSteps;
}

/** What the lower bound of a member below the threshold is at most; -Infinity where nobody there is above average. */
function computeBoundBelow({ leastSd, ids }: Population, weights: Float64Array, threshold: number): number {
  if (ids.size === 0 || threshold <= computeLowestScore(weights, 0)) return -Infinity;
  const scale = computeWeightScale(weights) * slotScale;
  return computeLowerBound(
    (threshold + 1) / scale + computeQuantisationError(weights),
    leastSd * computeNorm(weights),
  );
}

/** The lowest quantised score that a mean fit of `mean` can have; one unit covers the rounding of the floats. */
function computeLowestScore(weights: Float64Array, mean: number): number {
  return Math.floor((mean - computeQuantisationError(weights)) * computeWeightScale(weights) * slotScale) - 1;
}

/** How far a fit can be from what the score says: a slot is off by half a step at most, a weight by its own rounding error, which is known. */
function computeQuantisationError(weights: Float64Array): number {
  const scale = computeWeightScale(weights);
  let error = 0;
  for (const weight of weights)
    error += weight / (2 * slotScale) + Math.abs(weight - Math.round(scale * weight) / scale) * largestMean;
  return error;
}

/** The standard deviation of a fit whose traits all have a standard deviation of 1. */
function computeNorm(weights: Float64Array): number {
  return Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0));
}
