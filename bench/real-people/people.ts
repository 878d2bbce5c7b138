import path from 'node:path';
import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { calibrateBank } from '../../src/modules/measurement/traits/calibration/calibrate-bank.ts';
import { replaceParameters, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { dataDir } from '../lib/shared-data.ts';

/** The answers of real people to 135 statements of 27 scales, all of them complete. */
export type RealPeople = {
  /** Calibrated with half of the people. */
  readonly bank: ItemBank<string>;
  /** The answers of the other half. */
  readonly others: readonly (readonly Answer[])[];
};

/** A line of the report: a figure before, as it was measured in November 2026, and now, beside its target. */
export type Figure = {
  readonly name: string;
  readonly earlier: string;
  readonly now: string;
  readonly target: string;
};

/** Reads the people, and calibrates the bank with every second one of them. In a quick run only 150 of the others are measured. */
export async function readPeople(quick: boolean): Promise<RealPeople> {
  const dir = path.join(dataDir, 'spi');
  const csv = await readAnswersCsv(path.join(dir, 'spi-calibration.csv'), path.join(dir, 'spi-scales.key'));
  const half = csv.answerSets.filter((_, index) => index % 2 === 0);
  const others = csv.answerSets.filter((_, index) => index % 2 === 1);
  const { parameters } = calibrateBank(csv.bank, half);
  return {
    bank: replaceParameters(csv.bank, 'calibrated', false, parameters),
    others: quick ? others.slice(0, 150) : others,
  };
}

/** Computes the mean of at least one number. */
export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
