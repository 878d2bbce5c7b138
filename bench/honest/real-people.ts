import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { traitFamilies } from '../../src/modules/measurement/traits/taxonomy.ts';
import {
  readAnswersCsv,
  type CsvAnswers,
} from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { indexBank, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer, GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { moveItemsToMean } from '../../test/modules/item-worlds.ts';
import {
  calibrateWith,
  nearestScales,
  readWithKey,
  shuffle,
  spiFiles,
  splitAlternately,
} from '../lib/answers.ts';

/** Real people and the banks that measure them. None of the people was used for the parameters. */
export type RealPeople = {
  readonly name: string;
  readonly banks: Readonly<Record<'calibrated' | 'judged at random', ItemBank<string>>>;
  /** The answers of each person, in an order of their own. */
  readonly people: readonly (readonly Answer[])[];
};

/** Reads the people of the SPI: with its 27 scales, and with the 14 scales that are nearest to our traits under the names of these. */
export async function readRealPeople(): Promise<readonly RealPeople[]> {
  const all = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  return [
    prepare('27 scales, 135 statements', all),
    prepare('14 traits, 70 statements', await readWithKey(spiFiles.answers, writeTraitKey(all.bank))),
  ];
}

/** Writes a key with our traits instead of the scales of a bank. */
function writeTraitKey({ gradedByTrait }: ItemBank<string>): string {
  return Object.entries(nearestScales)
    .map(([trait, scale]) => {
      const isTurned = scale.startsWith('-');
      const items = gradedByTrait.get(scale.replace('-', ''))!;
      return `${trait}: ${items.map(({ id, reversed }) => ((reversed === true) === isTurned ? id : `-${id}`)).join(' ')}`;
    })
    .join('\n');
}

function prepare(name: string, { bank, answerSets }: CsvAnswers): RealPeople {
  const random = createSeededRandom(5);
  const [used, others] = splitAlternately(answerSets);
  return {
    name,
    banks: {
      calibrated: calibrateWith(bank, used),
      'judged at random': judgeAtRandom(bank, used, random),
    },
    people: others.slice(0, 700).map((answers) => shuffle(answers, random)),
  };
}

/** Draws parameters from the range of our judgements. The norms are right within 0.2 points of five, and the correlations and errors are ours. */
export function judgeAtRandom(
  bank: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
  random: Random,
): ItemBank<string> {
  const families = new Map(
    Object.entries(traitFamilies).flatMap(([family, traits]) =>
      traits.map((trait) => [trait as string, family]),
    ),
  );
  const drawn = bank.graded.map((item) => drawJudgement(item, random));
  const graded = bank.traits.flatMap((trait) => {
    const items = drawn.filter((item) => item.trait === trait);
    const norm = computeMean(items, answerSets) + 0.2 * (2 * random() - 1);
    // From five points to as many as the items have.
    return moveItemsToMean(items, 1 + ((norm - 1) * items[0]!.thresholds.length) / 4);
  });
  const getFamily = (trait: string) => families.get(trait) ?? trait;
  return indexBank({
    ...bank,
    graded,
    families: new Map(bank.traits.map((trait) => [trait, getFamily(trait)])),
    covariance: bank.traits.map((row) =>
      bank.traits.map((column) => (row === column ? 1 : getFamily(row) === getFamily(column) ? 0.4 : 0.1)),
    ),
    errors: itemBank.errors,
  });
}

function drawJudgement(item: GradedItem<string>, random: Random): GradedItem<string> {
  const middle = -0.9 + 1.8 * random();
  return {
    ...item,
    discrimination: 1.2 + 0.8 * random(),
    thresholds: item.thresholds.map((_, index) => middle + 0.9 * (index - (item.thresholds.length - 1) / 2)),
  };
}

/** Computes the mean keyed answer to items, converted to points from 1 to 5. */
function computeMean(
  items: readonly GradedItem<string>[],
  answerSets: readonly (readonly Answer[])[],
): number {
  const known = new Map(items.map((item) => [item.id, item]));
  let [sum, count] = [0, 0];
  for (const { item_id, option } of answerSets.flat()) {
    const item = known.get(item_id);
    if (!item) continue;
    const top = item.thresholds.length;
    sum += 1 + (4 * (item.reversed ? top - option : option)) / top;
    count++;
  }
  return sum / count;
}
