import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAnswersCsv, type CsvAnswers } from '../calibration/answers-csv.ts';
import { calibrateBank, type BankCalibration } from '../calibration/calibrate-bank.ts';
import { computeCorrelation } from '../calibration/fit.ts';
import { replaceParameters, type ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { chooseNextItem, type AssessmentRule } from './next-item.ts';
import { computePosterior, type Posterior } from './posterior.ts';

const published = path.join(import.meta.dirname, '../../../../../shared/data/bfi/bfi-calibration.csv');
const isThere = existsSync(published);

const key = `agreeableness: -A1 A2 A3 A4 A5
conscientiousness: C1 C2 C3 -C4 -C5
extraversion: -E1 -E2 E3 E4 E5
neuroticism: N1 N2 N3 N4 N5
openness: O1 -O2 O3 O4 -O5
`;

/** With five items a scale cannot reach the standard error of 0.4 of our own bank. The choice is always the best item. */
const rule: AssessmentRule = {
  standard_error: 0.5,
  fewest_items_a_trait: 2,
  most_items: 25,
  first_draw: 1,
  explorers: Infinity,
};

/**
 * Real respondents: every second one is used for the calibration, and the others are asked adaptively after the fact (post-hoc
 * simulation, Weiss 1982), where each item has the answer that the respondent once gave. So the parameters measure only respondents who
 * were not used for their calibration.
 */
let calibration: BankCalibration;
let bank: ItemBank<string>;
let others: readonly (readonly Answer[])[];
let dir: string;
beforeAll(async () => {
  if (!isThere) return;
  dir = await mkdtemp(path.join(tmpdir(), 'tessera-bfi-'));
  await writeFile(path.join(dir, 'key'), key);
  const csv: CsvAnswers = await readAnswersCsv(published, path.join(dir, 'key'));
  calibration = calibrateBank(
    csv.bank,
    csv.answerSets.filter((_, index) => index % 2 === 0),
  );
  bank = replaceParameters(csv.bank, 'calibrated', false, calibration.parameters);
  others = csv.answerSets.filter((answers, index) => index % 2 === 1 && answers.length === 25);
});
afterAll(async () => {
  if (isThere) await rm(dir, { recursive: true, force: true });
});

describe.skipIf(!isThere)(
  'calibrated with 700 real respondents (skipped if ../shared/data/bfi is absent)',
  () => {
    test('the calibration converges, is reliable and fits', () => {
      expect(calibration.respondents).toBe(700);
      const items = calibration.traits.flatMap((trait) => trait.items);
      expect(calibration.traits.filter(({ converged }) => !converged)).toEqual([]);
      expect(calibration.traits.filter(({ reliability }) => reliability < 0.65)).toEqual([]);
      expect(items.filter(({ discrimination }) => discrimination < 0.5)).toEqual([]);
      expect(items.filter(({ infit }) => Math.abs(infit - 1) > 0.2)).toEqual([]);
      expect(items.filter(({ outfit }) => Math.abs(outfit - 1) > 0.3)).toEqual([]);
    });

    test('600 others, asked adaptively, get nearly their full-scale scores from fewer items: r >= 0.95 for every trait', () => {
      const full = others.map((answers) => computePosterior(answers, bank));
      const adaptive = others.map((answers, index) => askAdaptively(answers, `real-${index}`));
      expect(others.length).toBeGreaterThan(500);
      for (const index of bank.traits.keys()) {
        const readScore = (posterior: Posterior) => posterior.mean[index]!;
        const adaptiveScores = adaptive.map(({ posterior }) => readScore(posterior));
        expect(computeCorrelation(full.map(readScore), adaptiveScores)).toBeGreaterThanOrEqual(0.95);
      }
      const items = adaptive.reduce((sum, { count }) => sum + count, 0) / adaptive.length;
      expect(items).toBeLessThan(18);
    });
  },
);

function askAdaptively(
  answers: readonly Answer[],
  seed: string,
): { readonly count: number; readonly posterior: Posterior } {
  const known = new Map(answers.map((answer) => [answer.item_id, answer]));
  const given: Answer[] = [];
  const chooseNext = () => chooseNextItem(given, seed, bank, rule);
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) given.push(known.get(item.id)!);
  return { count: given.length, posterior: computePosterior(given, bank) };
}
