import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import type { ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { shuffle } from '../lib/answers.ts';
import { formatPercent } from '../lib/report.ts';
import { average, type Figure, type RealPeople } from './people.ts';

const splits = 6;

/**
 * Says how often the 95 % bounds from one half of a scale contain the position that the other half gives, with the error of that half added.
 * The mean of the other half is divided by its reliability 1 - v, which undoes the shrinkage; its error then has the variance v / (1 - v).
 */
export function measureCoverage({ bank, reviewed, others }: RealPeople): readonly Figure[] {
  const names = [
    'coverage of 95 % bounds, all scales',
    'the same, lowest scale',
    'the same, lowest split of a scale',
  ];
  const earlier = ['94.0 %', '90.9 %', '85.7 %'];
  const targets = ['93–97 %', '93–97 %', '90 %'];
  const calibrated = summariseCoverage(bank, others);
  const decided = summariseCoverage(reviewed, others);
  return names.map((name, index) => ({
    name: `${name}; after the review of dependent statements`,
    earlier: earlier[index]!,
    now: `${formatPercent(calibrated[index]!)}; ${formatPercent(decided[index]!)}`,
    target: targets[index]!,
  }));
}

/** Computes the mean, the lowest scale and the lowest split. */
function summariseCoverage(bank: ItemBank<string>, people: RealPeople['others']): readonly number[] {
  const random = createSeededRandom(5);
  const scales = bank.traits.map((trait) => {
    const alone = selectTrait(bank, trait);
    return Array.from({ length: splits }, () => measureSplit(alone, trait, people, random));
  });
  const means = scales.map(average);
  return [average(means), Math.min(...means), Math.min(...scales.flat())];
}

/** Returns the bank with the trait independent of the others, so that a half is measured by its own statements only. */
function selectTrait(bank: ItemBank<string>, trait: string): ItemBank<string> {
  const slots = new Map([[trait, 0]]);
  return { ...bank, traits: [trait], covariance: [[1]], slots };
}

function measureSplit(
  bank: ItemBank<string>,
  trait: string,
  people: RealPeople['others'],
  random: Random,
): number {
  const items = shuffle(
    bank.gradedByTrait.get(trait)!.map(({ id }) => id),
    random,
  );
  const half = Math.ceil(items.length / 2);
  const first = new Set(items.slice(0, half));
  const second = new Set(items.slice(half));
  return average(people.map((answers) => Number(isCovered(answers, { first, second }, bank))));
}

function isCovered(
  answers: readonly Answer[],
  { first, second }: { readonly first: ReadonlySet<string>; readonly second: ReadonlySet<string> },
  bank: ItemBank<string>,
): boolean {
  const one = measureHalf(answers, first, bank);
  const other = measureHalf(answers, second, bank);
  const reliability = 1 - other.variance;
  const error = Math.sqrt(one.variance + other.variance / reliability);
  return Math.abs(other.mean / reliability - one.mean) <= 1.96 * error;
}

function measureHalf(answers: readonly Answer[], half: ReadonlySet<string>, bank: ItemBank<string>) {
  const given = answers.filter(({ item_id }) => half.has(item_id));
  const { mean, variance } = computePosterior(given, bank);
  return { mean: mean[0]!, variance: variance[0]! };
}
