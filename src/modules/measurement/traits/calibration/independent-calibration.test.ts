import { readFile } from 'node:fs/promises';
import { computeCorrelation } from '@tessera/psychometrics';
import { expect, test } from 'vitest';
import { buildForm } from '../items/bank-form.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import { calibrateBank } from './calibrate-bank.ts';

type Fixture = {
  readonly items: readonly { readonly discrimination: number; readonly thresholds: readonly number[] }[];
  /** The answers of each respondent, a digit for each statement. */
  readonly answers: readonly string[];
};

/** `calibrate-independently.py` beside it says what made it. */
const fixture = new URL('../../../../../test/fixtures/independent-calibration.json', import.meta.url);

test('a calibration agrees with one that another program made by another way', async () => {
  // The file is ours; `JSON.parse` is typed as any.
  const { items, answers } = JSON.parse(await readFile(fixture, 'utf8')) as Fixture;
  const form = buildForm(
    'fixture',
    items.map((_, index) => ({
      cells: { item_id: `q${index}`, scale: 'scale', sign: '+', options: '0-4' },
      where: `line ${index}`,
    })),
  );
  const { traits } = calibrateBank(
    buildUncalibrated({ form, form_version: 'fixture' }),
    answers.map((row) =>
      Array.from(row, (option, index) => ({ item_id: `q${index}`, option: Number(option) })),
    ),
  );
  const estimated = traits[0]!.items;
  const slopes = [estimated, items].map((each) => each.map(({ discrimination }) => discrimination));
  expect(computeCorrelation(slopes[0]!, slopes[1]!)).toBeGreaterThanOrEqual(0.99);
  const differences = estimated.flatMap(({ thresholds }, index) =>
    thresholds.map((threshold, step) => threshold - items[index]!.thresholds[step]!),
  );
  const rmse = Math.sqrt(differences.reduce((sum, each) => sum + each * each, 0) / differences.length);
  expect(rmse).toBeLessThanOrEqual(0.05);
});
