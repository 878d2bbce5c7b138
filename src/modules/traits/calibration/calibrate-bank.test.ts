import { expect, test } from 'vitest';
import { indexBank, findStatement, replaceParameters, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { stoppingRule } from '../measurement/next-item.ts';
import { simulateAnswers } from '../measurement/simulated-member.ts';
import { calibrateBank, itemLimits } from './calibrate-bank.ts';
import { cholesky } from './symmetric-matrix.ts';
import { createSeededRandom, drawStandardNormal, type Random } from '#lib/seeded-random.ts';

/** Three traits of the bank, so that many people are simulated in a moment. */
const traits = ['sincerity', 'fair_dealing', 'discretion'] as const;
const judged = part(itemBank, [
  [1, 0.4, 0.4],
  [0.4, 1, 0.4],
  [0.4, 0.4, 1],
]);

/**
 * The whole way from wrong judgements to estimates: people answer as other parameters and other correlations say, the judged bank asks
 * them adaptively (so most statements are unanswered by most people), and the calibration has only their answers.
 */
test('answers of 1,500 adaptively asked people correct judged parameters and correlations (seed 61)', () => {
  const random = createSeededRandom(61);
  const truth = disturbed(judged, random);
  const people = Array.from({ length: 1500 }, (_, person) => assessed(truth, `person-${person}`, random));
  const shares: number[] = [];
  const found = calibrateBank(judged, people, (share) => shares.push(share));
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBe(1);

  const reports = found.traits.flatMap(({ items }) => items);
  expect(reports).toHaveLength(36);
  // Every statement is asked of somebody, and those that many answered are estimated far better than they were judged.
  expect(Math.min(...reports.map(({ answers }) => answers))).toBeGreaterThan(25);
  const answered = reports.filter(({ answers }) => answers >= itemLimits.fewest_answers);
  expect(answered.length).toBeGreaterThan(20);
  const missed = { estimate: [] as number[], judgement: [] as number[], standardised: [] as number[] };
  for (const { item_id, thresholds, discrimination, standard_errors } of answered) {
    const [real, before] = [findStatement(truth, item_id)!, findStatement(judged, item_id)!];
    missed.estimate.push(Math.log(discrimination / real.discrimination));
    missed.judgement.push(Math.log(before.discrimination / real.discrimination));
    for (const [k, threshold] of thresholds.entries()) {
      missed.estimate.push(threshold - real.thresholds[k]!);
      missed.judgement.push(before.thresholds[k]! - real.thresholds[k]!);
      missed.standardised.push((threshold - real.thresholds[k]!) / standard_errors.thresholds[k]!);
    }
  }
  expect(rootMeanSquare(missed.estimate)).toBeLessThan(0.15);
  expect(rootMeanSquare(missed.judgement)).toBeGreaterThan(0.25);
  expect(rootMeanSquare(missed.standardised)).toBeLessThan(1.35);
  for (const { reliability, converged } of found.traits) {
    expect(converged).toBe(true);
    expect(reliability).toBeGreaterThan(0.7);
  }
  const [, between, far] = found.parameters.correlations![0]!;
  expect(Math.abs(between! - 0.6)).toBeLessThan(0.08);
  expect(Math.abs(far! - 0.2)).toBeLessThan(0.08);
});

test('the same answers give the same numbers, and the bank takes them', () => {
  const random = createSeededRandom(62);
  const people = Array.from({ length: 120 }, (_, person) => assessed(judged, `again-${person}`, random));
  const one = calibrateBank(judged, people);
  expect(calibrateBank(judged, people)).toEqual(one);
  const bank = replaceParameters(judged, 'new', true, one.parameters);
  expect(bank.parameter_version).toBe('new');
  for (const item of bank.graded) expect(item).toMatchObject(one.parameters.items[item.id]!);
  expect(() => cholesky(bank.covariance)).not.toThrow();
});

test('a bank passes over numbers of items that it does not have, and keeps its own correlations where there are none', () => {
  const bank = replaceParameters(judged, 'new', false, {
    items: {
      gone_01: { discrimination: 1, thresholds: [0] },
      toString: { discrimination: 1, thresholds: [0] },
    },
    correlations: null,
  });
  expect(bank.graded).toEqual(judged.graded);
  expect(bank.covariance).toBe(judged.covariance);
});

function part(bank: ItemBank<string>, covariance: readonly (readonly number[])[]): ItemBank<string> {
  return indexBank({
    ...bank,
    traits,
    covariance,
    graded: bank.graded.filter(({ trait }) => (traits as readonly string[]).includes(trait)),
    scenarios: [],
  });
}

/** Discriminations a sixth lower and spread, scales shifted and stretched, correlations far from the judged ones. */
function disturbed(bank: ItemBank<string>, random: Random): ItemBank<string> {
  return indexBank({
    ...bank,
    covariance: [
      [1, 0.6, 0.2],
      [0.6, 1, 0.4],
      [0.2, 0.4, 1],
    ],
    graded: bank.graded.map((item) => {
      const stretch = Math.exp(0.15 * drawStandardNormal(random));
      const shift = 0.3 * drawStandardNormal(random);
      return {
        ...item,
        discrimination: item.discrimination * Math.exp(0.25 * drawStandardNormal(random) - 0.15),
        thresholds: item.thresholds.map((threshold) => threshold * stretch + shift),
      };
    }),
  });
}

function assessed(truth: ItemBank<string>, seed: string, random: Random): readonly Answer[] {
  return simulateAnswers(seed, random, { bank: judged, truth, rule: { ...stoppingRule, most_items: 30 } })
    .answers;
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
