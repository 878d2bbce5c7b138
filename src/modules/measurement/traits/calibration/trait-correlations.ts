import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { computePosterior } from '../measurement/posterior.ts';

const cycles_max = 25;
const respondents_max = 1_500;
const tolerance = 0.003;
/** The weight of the prior correlations, in respondents. */
const prior_respondents = 50;

/**
 * Estimates the correlations of the traits in the population by expectation maximisation: each cycle computes every respondent's posterior
 * under the current correlations, adds its covariance to the outer product of its mean, and averages over respondents (Dempster, Laird
 * and Rubin 1977, J R Stat Soc B 39). The bank's own correlations have the weight of 50 respondents. At most 1,500 respondents, evenly
 * spread over the list, are used, which gives a standard error below 0.03. The result is positive definite, because it is an average of
 * positive definite matrices, and is rounded to three decimals.
 */
export function estimateCorrelations(
  bank: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
): readonly (readonly number[])[] {
  const sample = sampleEvenly(answerSets, respondents_max);
  let covariance = bank.covariance;
  for (let cycle = 0; cycle < cycles_max; cycle++) {
    const next = averageCorrelations({ ...bank, covariance }, sample, bank.covariance);
    const moved = computeLargestDifference(covariance, next);
    covariance = next;
    if (moved < tolerance) break;
  }
  return covariance.map((row) => row.map((value) => Math.round(value * 1000) / 1000 + 0));
}

/** Selects at most `most` elements, evenly spread over the list. */
export function sampleEvenly<Element>(list: readonly Element[], most: number): readonly Element[] {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)]!);
}

function averageCorrelations(
  bank: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
  prior: readonly (readonly number[])[],
): number[][] {
  const sums = prior.map((row) => row.map((value) => prior_respondents * value));
  for (const answers of answerSets) {
    const { mean, covariance } = computePosterior(answers, bank);
    for (const [row, entries] of sums.entries())
      for (let column = 0; column < entries.length; column++)
        entries[column]! += covariance[row]![column]! + mean[row]! * mean[column]!;
  }
  return sums.map((row, one) =>
    row.map((value, other) => value / Math.sqrt(sums[one]![one]! * sums[other]![other]!)),
  );
}

function computeLargestDifference(
  one: readonly (readonly number[])[],
  other: readonly (readonly number[])[],
): number {
  return Math.max(
    ...one.flatMap((row, index) => row.map((value, column) => Math.abs(value - other[index]![column]!))),
  );
}
