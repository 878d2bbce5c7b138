import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { cholesky, flattenRows } from '@tessera/psychometrics';
import { findStatement, indexBank, replaceParameters, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { stoppingRule } from '../measurement/next-item.ts';
import { addParameterErrors } from '../measurement/parameter-errors.ts';
import { computePosterior, type Posterior } from '../measurement/posterior.ts';
import { calibrateBank, itemLimits } from './calibrate-bank.ts';
import { simulateAnswers } from '#test/modules/simulated-assessment.ts';

/** Three traits of the bank, so that simulating many respondents takes little time. */
const traits: readonly string[] = ['sincerity', 'fair_dealing', 'discretion'];
const judged = selectTraits(itemBank, [
  [1, 0.4, 0.4],
  [0.4, 1, 0.4],
  [0.4, 0.4, 1],
]);

/**
 * The judged parameters and correlations are wrong: respondents answer by other ones. The judged bank chooses the statements
 * adaptively, so most respondents do not see most statements, and the calibration uses only their answers.
 */
test('the answers of 1,500 adaptively asked respondents correct judged parameters and correlations (seed 61)', () => {
  const random = createSeededRandom(61);
  const truth = perturbParameters(judged, random);
  const answerSets = Array.from({ length: 1500 }, (_, index) =>
    simulateRespondent(truth, `person-${index}`, random),
  );
  const shares: number[] = [];
  const calibration = calibrateBank(judged, answerSets, (share) => shares.push(share));
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBe(1);

  const reports = calibration.traits.flatMap(({ items }) => items);
  expect(reports).toHaveLength(36);
  // Every statement has answers, and with many answers the estimate is far better than the judgement.
  expect(Math.min(...reports.map(({ answers }) => answers))).toBeGreaterThan(25);
  const answered = reports.filter(({ answers }) => answers >= itemLimits.fewest_answers);
  expect(answered.length).toBeGreaterThan(20);
  const errors: Record<'estimate' | 'judgement' | 'standardised', number[]> = {
    estimate: [],
    judgement: [],
    standardised: [],
  };
  for (const { item_id, thresholds, discrimination, standard_errors } of answered) {
    const [real, before] = [findStatement(truth, item_id)!, findStatement(judged, item_id)!];
    errors.estimate.push(Math.log(discrimination / real.discrimination));
    errors.judgement.push(Math.log(before.discrimination / real.discrimination));
    for (const [k, threshold] of thresholds.entries()) {
      errors.estimate.push(threshold - real.thresholds[k]!);
      errors.judgement.push(before.thresholds[k]! - real.thresholds[k]!);
      errors.standardised.push((threshold - real.thresholds[k]!) / standard_errors.thresholds[k]!);
    }
  }
  expect(computeRootMeanSquare(errors.estimate)).toBeLessThan(0.17);
  expect(computeRootMeanSquare(errors.judgement)).toBeGreaterThan(0.25);
  expect(computeRootMeanSquare(errors.standardised)).toBeLessThan(1.35);
  for (const { reliability, converged } of calibration.traits) {
    expect(converged).toBe(true);
    expect(reliability).toBeGreaterThan(0.7);
  }
  const [, withFairDealing, withDiscretion] = calibration.parameters.correlations![0]!;
  expect(Math.abs(withFairDealing! - 0.6)).toBeLessThan(0.08);
  expect(Math.abs(withDiscretion! - 0.2)).toBeLessThan(0.08);

  // Other respondents: with judged parameters their bounds are too narrow unless they include the errors of parameters.
  const calibrated = replaceParameters(judged, 'calibrated', false, calibration.parameters);
  const share = { judged: [0, 0], calibrated: [0, 0] };
  for (let index = 0; index < 400; index++) {
    const { traits: values, answers } = simulateAnswers(`other-${index}`, random, {
      bank: calibrated,
      truth,
    });
    for (const [name, bank] of [['judged', judged] as const, ['calibrated', calibrated] as const]) {
      const measured = computePosterior(answers, bank);
      share[name][0]! += countCovered(values, measured) / (400 * traits.length);
      share[name][1]! +=
        countCovered(values, addParameterErrors(measured, answers, bank)) / (400 * traits.length);
    }
  }
  expect(share.judged[1]).toBeGreaterThan(0.93);
  expect(share.calibrated[1]).toBeGreaterThan(0.93);
  expect(share.calibrated[1]).toBeLessThan(0.97);
});

test('the same answers give the same parameters, and a bank with them is valid', () => {
  const random = createSeededRandom(62);
  const answerSets = Array.from({ length: 120 }, (_, index) =>
    simulateRespondent(judged, `again-${index}`, random),
  );
  const one = calibrateBank(judged, answerSets);
  expect(calibrateBank(judged, answerSets)).toEqual(one);
  const bank = replaceParameters(judged, 'new', true, one.parameters);
  expect(bank.parameter_version).toBe('new');
  for (const item of bank.graded) expect(item).toMatchObject(one.parameters.items[item.id]!);
  expect(() => cholesky(flattenRows(bank.covariance))).not.toThrow();
});

test('a bank ignores parameters of unknown items, and retains its correlations if there are no others', () => {
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

/** Counts the true values within the 95 % bounds. */
function countCovered(values: readonly number[], { mean, variance }: Posterior): number {
  return values.filter((value, slot) => Math.abs(value - mean[slot]!) <= 1.96 * Math.sqrt(variance[slot]!))
    .length;
}

function selectTraits(bank: ItemBank<string>, covariance: readonly (readonly number[])[]): ItemBank<string> {
  return indexBank({
    ...bank,
    traits,
    covariance,
    graded: bank.graded.filter(({ trait }) => traits.includes(trait)),
    scenarios: [],
  });
}

/** Lowers discriminations by about a sixth and spreads them, shifts and stretches scales, and replaces the correlations. */
function perturbParameters(bank: ItemBank<string>, random: Random): ItemBank<string> {
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

function simulateRespondent(truth: ItemBank<string>, seed: string, random: Random): readonly Answer[] {
  return simulateAnswers(seed, random, { bank: judged, truth, rule: { ...stoppingRule, most_items: 30 } })
    .answers;
}

function computeRootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
