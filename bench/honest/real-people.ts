import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSeededRandom, drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import { traitFamilies } from '../../src/modules/measurement/traits/taxonomy.ts';
import {
  readAnswersCsv,
  type CsvAnswers,
} from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { calibrateBank } from '../../src/modules/measurement/traits/calibration/calibrate-bank.ts';
import {
  indexBank,
  replaceParameters,
  type ItemBank,
} from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer, GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { computeMeanAnswer } from '../../src/modules/measurement/traits/items/norms.ts';

/** Real people and the banks that measure them. None of the people was used for the parameters. */
export type RealPeople = {
  readonly name: string;
  readonly banks: Readonly<Record<'calibrated' | 'judged at random', ItemBank<string>>>;
  /** The answers of each person, in an order of their own. */
  readonly people: readonly (readonly Answer[])[];
};

/** The scales that are nearest to our traits. A minus sign means that the scale runs the other way. */
const nearestScales = {
  structure_preference: 'Order',
  persistence: 'Industry',
  empathic_attunement: 'Compassion',
  social_initiative: 'Charisma',
  change_agility: 'Adaptability',
  sincerity: 'Honesty',
  pressure_response: '-Anxiety',
  recovery_resilience: 'EmotionalStability',
  analytical_depth: 'Introspection',
  exploratory_curiosity: 'Creativity',
  collaborative_orientation: 'Sociability',
  achievement_drive: 'Perfectionism',
  autonomy_drive: '-Conformity',
  accountability: '-Impulsivity',
} as const;

/** Reads the people of the SPI: with its 27 scales, and with the 14 scales that are nearest to our traits under the names of these. */
export async function readRealPeople(folder: string): Promise<readonly RealPeople[]> {
  const key = await readFile(path.join(folder, 'spi-scales.key'), 'utf8');
  const file = path.join(folder, 'spi-calibration.csv');
  return [
    prepare('27 scales, 135 statements', await readWithKey(file, key)),
    prepare('14 traits, 70 statements', await readWithKey(file, mapScales(key))),
  ];
}

/** Replaces the scales of a key by our traits. */
function mapScales(key: string): string {
  const scales = new Map(key.split('\n').map((line) => line.split(': ') as [string, string]));
  return Object.entries(nearestScales)
    .map(([trait, scale]) => {
      const items = scales.get(scale.replace('-', ''))!.split(' ');
      const turned = items.map((item) => (item.startsWith('-') ? item.slice(1) : `-${item}`));
      return `${trait}: ${(scale.startsWith('-') ? turned : items).join(' ')}`;
    })
    .join('\n');
}

async function readWithKey(file: string, key: string): Promise<CsvAnswers> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tessera-honest-'));
  try {
    await writeFile(path.join(dir, 'key'), key);
    return await readAnswersCsv(file, path.join(dir, 'key'));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function prepare(name: string, { bank, answerSets }: CsvAnswers): RealPeople {
  const random = createSeededRandom(5);
  const [used, others] = [0, 1].map((half) => answerSets.filter((_, index) => index % 2 === half));
  const { parameters } = calibrateBank(bank, used!);
  return {
    name,
    banks: {
      calibrated: replaceParameters(bank, 'calibrated', false, parameters),
      'judged at random': judgeAtRandom(bank, used!, random),
    },
    people: others!.slice(0, 700).map((answers) => shuffle(answers, random)),
  };
}

/** Draws parameters from the range of our judgements. The norms are right within 0.2 points of five, and the correlations and errors are ours. */
function judgeAtRandom(
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
    return moveToNorm(items, computeMean(items, answerSets) + 0.2 * (2 * random() - 1));
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

function moveToNorm(items: readonly GradedItem<string>[], norm: number): readonly GradedItem<string>[] {
  let [low, high] = [-3, 3];
  const computePoints = (item: GradedItem<string>, distance: number) =>
    1 + (4 * (computeMeanAnswer(item as GradedItem, distance) - 1)) / item.thresholds.length;
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    const mean = items.reduce((sum, item) => sum + computePoints(item, middle), 0) / items.length;
    [low, high] = mean > norm ? [middle, high] : [low, middle];
  }
  return items.map((item) => ({ ...item, thresholds: item.thresholds.map((each) => each + low) }));
}

/** Returns the elements in a random order (Fisher and Yates). */
export function shuffle<Element>(list: readonly Element[], random: Random): Element[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const place = drawBelow(random, last + 1);
    [mixed[last], mixed[place]] = [mixed[place]!, mixed[last]!];
  }
  return mixed;
}
