import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { computePosterior } from '../measurement/posterior.ts';

const cycles_max = 25;
const people_max = 1_500;
const tolerance = 0.003;
/** How many people the prior correlations weigh. */
const prior_people = 50;

/**
 * The correlations of the traits in the population, by expectation maximisation: each cycle takes every person's posterior under the
 * correlations so far, adds its covariance to the square of its mean, and averages over people (Dempster, Laird and Rubin 1977, J R
 * Stat Soc B 39). The bank's own correlations weigh as much as 50 people. At most 1,500 people, evenly spread, are read: their
 * standard error of a correlation is below 0.03. Positive definite, because every matrix that goes into the average is; rounded to
 * three decimals.
 */
export function estimateCorrelations(
  bank: ItemBank<string>,
  people: readonly (readonly Answer[])[],
): readonly (readonly number[])[] {
  const read = sampleEvenly(people);
  let covariance = bank.covariance;
  for (let cycle = 0; cycle < cycles_max; cycle++) {
    const next = averageCorrelations({ ...bank, covariance }, read, bank.covariance);
    const moved = computeLargestDifference(covariance, next);
    covariance = next;
    if (moved < tolerance) break;
  }
  return covariance.map((row) => row.map((value) => Math.round(value * 1000) / 1000));
}

function sampleEvenly(people: readonly (readonly Answer[])[]): readonly (readonly Answer[])[] {
  if (people.length <= people_max) return people;
  return Array.from(
    { length: people_max },
    (_, index) => people[Math.floor((index * people.length) / people_max)]!,
  );
}

function averageCorrelations(
  bank: ItemBank<string>,
  people: readonly (readonly Answer[])[],
  prior: readonly (readonly number[])[],
): number[][] {
  const sums = prior.map((row) => row.map((value) => prior_people * value));
  for (const answers of people) {
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
