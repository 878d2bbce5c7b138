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

/** Five items a scale cannot reach the 0.4 of our own bank: 0.5, two items a scale, and always the best item. */
const rule: AssessmentRule = {
  standard_error: 0.5,
  fewest_items_a_trait: 2,
  most_items: 25,
  first_draw: 1,
  explorers: Infinity,
};

/**
 * Real people: every second one calibrates, the others are asked adaptively after the fact (post-hoc simulation, Weiss 1982), each
 * question being answered as they once did. The parameters have never seen those whom they measure.
 */
let calibration: BankCalibration;
let bank: ItemBank<string>;
let others: readonly (readonly Answer[])[];
let dir: string;
beforeAll(async () => {
  if (!isThere) return;
  dir = await mkdtemp(path.join(tmpdir(), 'tessera-bfi-'));
  await writeFile(path.join(dir, 'key'), key);
  const read: CsvAnswers = await readAnswersCsv(published, path.join(dir, 'key'));
  calibration = calibrateBank(
    read.bank,
    read.people.filter((_, index) => index % 2 === 0),
  );
  bank = replaceParameters(read.bank, 'calibrated', false, calibration.parameters);
  others = read.people.filter((answers, index) => index % 2 === 1 && answers.length === 25);
});
afterAll(async () => {
  if (isThere) await rm(dir, { recursive: true, force: true });
});

describe.skipIf(!isThere)('700 real people calibrate (skipped: ../shared/data/bfi is absent)', () => {
  test('the calibration converges, is reliable and fits', () => {
    expect(calibration.respondents).toBe(700);
    const items = calibration.traits.flatMap((trait) => trait.items);
    expect(calibration.traits.filter(({ converged }) => !converged)).toEqual([]);
    expect(calibration.traits.filter(({ reliability }) => reliability < 0.65)).toEqual([]);
    expect(items.filter(({ discrimination }) => discrimination < 0.5)).toEqual([]);
    expect(items.filter(({ infit }) => Math.abs(infit - 1) > 0.2)).toEqual([]);
    expect(items.filter(({ outfit }) => Math.abs(outfit - 1) > 0.3)).toEqual([]);
  });

  test('600 others, asked adaptively, get their full-scale scores from fewer items: r >= 0.95 for every trait', () => {
    const full = others.map((answers) => computePosterior(answers, bank));
    const adaptive = others.map((answers, index) => asked(answers, `real-${index}`));
    expect(others.length).toBeGreaterThan(500);
    for (const index of bank.traits.keys()) {
      const of = (posterior: Posterior) => posterior.mean[index]!;
      const adaptively = adaptive.map(({ posterior }) => of(posterior));
      expect(computeCorrelation(full.map(of), adaptively)).toBeGreaterThanOrEqual(0.95);
    }
    const items = adaptive.reduce((sum, { count }) => sum + count, 0) / adaptive.length;
    expect(items).toBeLessThan(18);
  });
});

function asked(
  answers: readonly Answer[],
  seed: string,
): { readonly count: number; readonly posterior: Posterior } {
  const known = new Map(answers.map((answer) => [answer.item_id, answer]));
  const given: Answer[] = [];
  const next = () => chooseNextItem(given, seed, bank, rule);
  for (let item = next(); item !== undefined; item = next()) given.push(known.get(item.id)!);
  return { count: given.length, posterior: computePosterior(given, bank) };
}
