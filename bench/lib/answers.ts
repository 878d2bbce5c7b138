import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawBelow, type Random } from '@tessera/psychometrics/seeded-random';
import {
  readAnswersCsv,
  type CsvAnswers,
} from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { calibrateBank } from '../../src/modules/measurement/traits/calibration/calibrate-bank.ts';
import { replaceParameters, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { dataDir } from './shared-data.ts';

/** The answers of 2,600 people to the 135 statements of 27 scales of the SPI, and the key of the scales. */
export const spiFiles = {
  answers: path.join(dataDir, 'spi/spi-calibration.csv'),
  key: path.join(dataDir, 'spi/spi-scales.key'),
} as const;

/** The scales of the SPI that are nearest to our traits. A minus sign means that the scale runs the other way. The other traits have none. */
export const nearestScales = {
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

/** Reads the answers to a questionnaire whose key is a text. */
export async function readWithKey(file: string, key: string): Promise<CsvAnswers> {
  return readCsv(await readFile(file, 'utf8'), key);
}

/** Reads answers from the text of a CSV file, and the key of their questionnaire. */
export async function readCsv(csv: string, key: string): Promise<CsvAnswers> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tessera-answers-'));
  try {
    const [file, keyFile] = [path.join(dir, 'answers.csv'), path.join(dir, 'key')];
    await writeFile(file, csv);
    await writeFile(keyFile, key);
    return await readAnswersCsv(file, keyFile);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Calibrates a bank with the answers of some people. */
export function calibrateWith(
  bank: ItemBank<string>,
  people: readonly (readonly Answer[])[],
): ItemBank<string> {
  return replaceParameters(bank, 'calibrated', false, calibrateBank(bank, people).parameters);
}

/** Takes every second element for one half, from the first on, and the rest for the other. */
export function splitAlternately<Element>(
  list: readonly Element[],
): readonly [one: readonly Element[], other: readonly Element[]] {
  return [list.filter((_, index) => index % 2 === 0), list.filter((_, index) => index % 2 === 1)];
}

/** Returns the elements in random order (Fisher and Yates). */
export function shuffle<Element>(elements: readonly Element[], random: Random): Element[] {
  const shuffled = [...elements];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = drawBelow(random, last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
