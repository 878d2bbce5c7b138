import { computeLowerBound } from '../../src/modules/matching/engine/tiers.ts';
import type { JobFit } from './approaches.ts';
import type { SimulatedMember } from './population.ts';

/** What a fit should achieve over a population and many jobs. All are shares or correlations. */
export type Criteria = {
  /** The median correlation of the true fits of two jobs. */
  readonly between_jobs: number;
  /** The mean correlation of a fit with the mean of all traits. */
  readonly with_level: number;
  /** The members who reach the tier moderate in no job. */
  readonly never_moderate: number;
  /** The share of all strong or better labels that the tenth of the members with the most of them has. */
  readonly top_tenth: number;
  /** The strong or better labels whose true fit is below the cut. */
  readonly false_strong: number;
  /** All labels that are strong or better. */
  readonly strong: number;
  /** The members whose fit is above average in no job. */
  readonly without_any: number;
};

const [moderateCut, strongCut] = [0.3, 1];

/** The limits of the criteria that have one. */
export const targets = {
  between_jobs: 0.5,
  never_moderate: 0.08,
  top_tenth: 0.4,
  false_strong: 0.1,
} as const satisfies Partial<Criteria>;

/** Computes the criteria. Correlations use every sixth job, which changes the median by less than 0.01. */
export function computeCriteria(jobs: readonly JobFit[], members: readonly SimulatedMember[]): Criteria {
  const strongCounts: number[] = [];
  const totals = { never: 0, without: 0, strong: 0, wrong: 0 };
  const sampled = jobs.filter((_, index) => index % 6 === 0);
  const truths = sampled.map(() => new Float64Array(members.length));
  const means = sampled.map(() => new Float64Array(members.length));
  for (const [index, { truth, mean, variance }] of members.entries()) {
    let [best, highest, strong] = [-Infinity, -Infinity, 0];
    for (const [place, measure] of jobs.entries()) {
      const fit = measure(truth, mean, variance);
      const bound = computeLowerBound(fit.mean, fit.sd, 0);
      best = Math.max(best, bound);
      highest = Math.max(highest, fit.mean);
      if (bound >= strongCut) {
        strong += 1;
        totals.wrong += Number(fit.truth < strongCut);
      }
      if (place % 6 !== 0) continue;
      truths[place / 6]![index] = fit.truth;
      means[place / 6]![index] = fit.mean;
    }
    strongCounts.push(strong);
    totals.never += Number(best < moderateCut);
    totals.without += Number(highest <= 0);
    totals.strong += strong;
  }
  const levels = Float64Array.from(members, ({ mean }) => mean.reduce((sum, value) => sum + value, 0));
  const topCount = Math.floor(members.length / 10);
  const top = strongCounts.toSorted((one, other) => other - one).slice(0, topCount);
  return {
    between_jobs: computeMedian(computePairCorrelations(truths)),
    with_level: means.reduce((sum, fits) => sum + computeCorrelation(fits, levels), 0) / means.length,
    never_moderate: totals.never / members.length,
    top_tenth: top.reduce((sum, count) => sum + count, 0) / totals.strong,
    false_strong: totals.wrong / totals.strong,
    strong: totals.strong / (members.length * jobs.length),
    without_any: totals.without / members.length,
  };
}

function computePairCorrelations(columns: readonly Float64Array[]): readonly number[] {
  return columns.flatMap((one, index) =>
    columns.slice(index + 1).map((other) => computeCorrelation(one, other)),
  );
}

/** Computes Pearson's correlation. */
function computeCorrelation(one: Float64Array, other: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(one), mean(other)];
  let [products, squares, otherSquares] = [0, 0, 0];
  for (let index = 0; index < one.length; index++) {
    const [x, y] = [one[index]! - a, other[index]! - b];
    products += x * y;
    squares += x * x;
    otherSquares += y * y;
  }
  return products / Math.sqrt(squares * otherSquares);
}

function computeMedian(values: readonly number[]): number {
  return Float64Array.from(values).toSorted()[Math.floor(values.length / 2)]!;
}
