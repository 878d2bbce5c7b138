import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeCorrelation } from '@tessera/psychometrics';
import { readAnswersCsv, type CsvAnswers } from '../calibration/answers-csv.ts';
import { calibrateBank, type BankCalibration } from '../calibration/calibrate-bank.ts';
import { replaceParameters, type ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { chooseNextItem, type AssessmentRule } from './next-item.ts';
import { computePosterior, type Posterior } from './posterior.ts';

const published = path.join(import.meta.dirname, '../../../../../../shared/data/bfi/bfi-calibration.csv');
const isThere = existsSync(published);

const key = `agreeableness: -A1 A2 A3 A4 A5
conscientiousness: C1 C2 C3 -C4 -C5
extraversion: -E1 -E2 E3 E4 E5
neuroticism: N1 N2 N3 N4 N5
openness: O1 -O2 O3 O4 -O5
`;

/** At most 15 of the 25 items. Every statement can be asked, and the choice is always the best one. */
const rule: AssessmentRule = {
  word_gain: 0,
  standard_error: 0,
  fewest_items_a_trait: 2,
  most_items: 15,
  eligible_share: 1,
  fewest_eligible: 1,
};

type Half = {
  readonly calibration: BankCalibration;
  readonly bank: ItemBank<string>;
  /** The complete respondents of the other half. */
  readonly others: readonly (readonly Answer[])[];
};

/**
 * Real respondents: each half is used for a calibration, and the complete respondents of the other half are asked adaptively after the fact
 * (post-hoc simulation, Weiss 1982), where each item has the answer that the respondent once gave. So the parameters measure only
 * respondents who were not used for their calibration.
 */
let halves: readonly Half[];
let dir: string;
beforeAll(async () => {
  if (!isThere) return;
  dir = await mkdtemp(path.join(tmpdir(), 'tessera-bfi-'));
  await writeFile(path.join(dir, 'key'), key);
  const csv: CsvAnswers = await readAnswersCsv(published, path.join(dir, 'key'));
  halves = [0, 1].map((half) => {
    const calibration = calibrateBank(
      csv.bank,
      csv.answerSets.filter((_, index) => index % 2 === half),
    );
    return {
      calibration,
      bank: replaceParameters(csv.bank, 'calibrated', false, calibration.parameters),
      others: csv.answerSets.filter((answers, index) => index % 2 !== half && answers.length === 25),
    };
  });
});
afterAll(async () => {
  if (isThere) await rm(dir, { recursive: true, force: true });
});

describe.skipIf(!isThere)(
  'calibrated with 700 real respondents (skipped if ../shared/data/bfi is absent)',
  () => {
    test('the calibration converges, is reliable and fits', () => {
      for (const { calibration } of halves) {
        expect(calibration.respondents).toBe(700);
        const items = calibration.traits.flatMap((trait) => trait.items);
        expect(calibration.traits.filter(({ converged }) => !converged)).toEqual([]);
        expect(calibration.traits.filter(({ reliability }) => reliability < 0.65)).toEqual([]);
        expect(items.filter(({ discrimination }) => discrimination < 0.5)).toEqual([]);
        expect(items.filter(({ infit }) => Math.abs(infit - 1) > 0.2)).toEqual([]);
        expect(items.filter(({ outfit }) => Math.abs(outfit - 1) > 0.3)).toEqual([]);
      }
    });

    test('1,200 complete respondents, asked adaptively, get nearly their full-scale scores from 60 % of the items: r >= 0.95 for every trait', () => {
      const scores = halves.flatMap(({ bank, others }) =>
        others.map((answers, index) => {
          const { count, posterior } = askAdaptively(bank, answers, `real-${index}`);
          return { count, full: computePosterior(answers, bank).mean, adaptive: posterior.mean };
        }),
      );
      expect(scores.length).toBeGreaterThan(1_200);
      expect(Math.max(...scores.map(({ count }) => count))).toBeLessThanOrEqual(0.6 * 25);
      for (const slot of halves[0]!.bank.traits.keys()) {
        const r = computeCorrelation(
          scores.map(({ full }) => full[slot]!),
          scores.map(({ adaptive }) => adaptive[slot]!),
        );
        expect(r).toBeGreaterThanOrEqual(0.95);
      }
    });
  },
);

function askAdaptively(
  bank: ItemBank<string>,
  answers: readonly Answer[],
  seed: string,
): { readonly count: number; readonly posterior: Posterior } {
  const known = new Map(answers.map((answer) => [answer.item_id, answer]));
  const given: Answer[] = [];
  const chooseNext = () => chooseNextItem(given, seed, bank, { rule });
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) given.push(known.get(item.id)!);
  return { count: given.length, posterior: computePosterior(given, bank) };
}
