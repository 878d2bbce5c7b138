import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import { calibrateBank } from '../../src/modules/measurement/traits/calibration/calibrate-bank.ts';
import { findInCalibration } from '../../src/modules/measurement/traits/calibration/find-in-calibration.ts';
import { replaceParameters, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { spiFiles, splitAlternately } from '../lib/answers.ts';

/** The answers of real people to 135 statements of 27 scales, all of them complete. */
export type RealPeople = {
  /** Calibrated with half of the people. */
  readonly bank: ItemBank<string>;
  /** The same, after a review has decided that the pairs of statements which the calibration found dependent count together. */
  readonly reviewed: ItemBank<string>;
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
  const { bank, answerSets } = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  const [half, others] = splitAlternately(answerSets);
  const { parameters, traits } = calibrateBank(bank, half);
  const pairs = findInCalibration(traits, undefined)
    .filter(({ kind }) => kind === 'dependent')
    .map(({ item_ids: [one, other], size }) => ({
      items: [one!, other!] as const,
      correlation: size,
      is_asked_together: true,
    }));
  return {
    bank: replaceParameters(bank, 'calibrated', false, parameters),
    reviewed: replaceParameters(bank, 'reviewed', false, {
      ...parameters,
      decisions: { weights: {}, pairs },
    }),
    others: quick ? others.slice(0, 150) : others,
  };
}

/** Computes the mean of at least one number. */
export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
