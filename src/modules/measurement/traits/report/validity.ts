import { computeCorrelation, solveSystem } from '@tessera/psychometrics';
import { computeInterval, type Interval } from './retest-correlations.ts';

/** How scores go together with a column of a file. */
export type CriterionReport = {
  readonly criterion: string;
  readonly people: number;
  /** Rank correlations (Spearman 1904) with their 95 % intervals (Fieller, Hartley and Pearson 1957); empty if nothing can be said. */
  readonly scales: readonly (Interval & { readonly scale: string })[];
  /** The correlation with what all scales together predict, for people who were left out of the estimate; null with too few people. */
  readonly together: Interval | null;
};

/** Fewer people say too little about a column. */
export const fewest_of_criterion = 100;

const folds = 10;
/** A prediction from many scales needs many people. */
const people_for_each_scale = 10;
/** Times the variance of a correlation of normal variables, the variance of one of ranks. */
const rank_variance = 1.06;

/**
 * Correlates scores with the criteria of the same people.
 *
 * @param scores A row for each person, a column for each scale.
 * @param criteria A value for each person; NaN if it is not known.
 */
export function computeValidity(
  scales: readonly string[],
  scores: readonly (readonly number[])[],
  criteria: ReadonlyMap<string, readonly number[]>,
): readonly CriterionReport[] {
  return [...criteria].map(([criterion, values]) => {
    const known = [...values.keys()].filter((person) => !Number.isNaN(values[person]));
    const outcomes = known.map((person) => values[person]!);
    const rows = known.map((person) => scores[person]!);
    const people = known.length;
    const isTold = people >= fewest_of_criterion && new Set(outcomes).size > 1;
    if (!isTold) return { criterion, people, scales: [], together: null };
    const ranks = rankValues(outcomes);
    return {
      criterion,
      people,
      scales: scales.map((scale, slot) => {
        const correlation = computeCorrelation(rankValues(rows.map((row) => row[slot]!)), ranks);
        return { scale, ...computeInterval(correlation, people, rank_variance) };
      }),
      together: people < people_for_each_scale * scales.length ? null : computePrediction(rows, outcomes),
    };
  });
}

/** Ranks values from 1; equal ones share the mean of their ranks. */
function rankValues(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].toSorted((one, other) => values[one]! - values[other]!);
  const ranks = Array.from(values, () => 0);
  for (let first = 0; first < order.length;) {
    let end = first + 1;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    for (let place = first; place < end; place++) ranks[order[place]!] = (first + 1 + end) / 2;
    first = end;
  }
  return ranks;
}

/** Predicts the outcome of each tenth of the people from the scores and outcomes of the others, by least squares. */
function computePrediction(rows: readonly (readonly number[])[], outcomes: readonly number[]): Interval {
  const predicted = Array.from(outcomes, () => 0);
  for (let fold = 0; fold < folds; fold++) {
    const others = [...rows.keys()].filter((person) => person % folds !== fold);
    const weights = fitWeights(
      others.map((person) => rows[person]!),
      others.map((person) => outcomes[person]!),
    );
    for (let person = fold; person < rows.length; person += folds)
      predicted[person] = dot([1, ...rows[person]!], weights);
  }
  return computeInterval(computeCorrelation(predicted, outcomes), rows.length);
}

/** A little is added to the diagonal, so that scales that say the same have weights too. */
const ridge = 1e-3;

function fitWeights(rows: readonly (readonly number[])[], outcomes: readonly number[]): Float64Array {
  const size = (rows[0]?.length ?? 0) + 1;
  const products = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (const [person, scores] of rows.entries()) {
    const row = [1, ...scores];
    for (let one = 0; one < size; one++) {
      right[one]! += row[one]! * outcomes[person]!;
      for (let other = 0; other < size; other++) products[one * size + other]! += row[one]! * row[other]!;
    }
  }
  for (let one = 0; one < size; one++) products[one * size + one]! += ridge * rows.length;
  return solveSystem(products, right);
}

function dot(one: readonly number[], other: ArrayLike<number>): number {
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
