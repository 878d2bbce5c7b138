import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { indexBank, noErrors, replaceParameters, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { computePosterior } from '../measurement/posterior.ts';
import { simulateStatementOption } from '../measurement/simulated-member.ts';
import { combineDecisions } from '../parameters/findings.ts';
import { calibrateBank } from './calibrate-bank.ts';
import { findInCalibration } from './find-in-calibration.ts';

const bank: ItemBank<string> = indexBank({
  ...(itemBank as ItemBank<string>),
  traits: ['persistence'],
  covariance: [[1]],
  graded: itemBank.gradedByTrait.get('persistence')!.slice(0, 8),
  retired: [],
  scenarios: [],
  errors: noErrors,
});

/** Simulates somebody for whom the first two pairs of statements ask something beside the trait, which both statements of a pair share. */
function simulatePerson(random: () => number): {
  readonly theta: number;
  readonly answers: readonly Answer[];
} {
  const theta = drawStandardNormal(random);
  const shared = [0.75, 0.75, 0, 0].map((spread) => theta + spread * drawStandardNormal(random));
  const answers = bank.graded.map((item, place) => ({
    item_id: item.id,
    option: simulateStatementOption(item, shared[Math.floor(place / 2)]!, random),
  }));
  return { theta, answers };
}

test('the bounds of people who answer two pairs alike are too narrow, and hold once the pairs that were found count less', () => {
  const random = createSeededRandom(9);
  const calibration = calibrateBank(
    bank,
    Array.from({ length: 1_000 }, () => simulatePerson(random).answers),
  );
  const findings = findInCalibration(calibration.traits, undefined);
  const ids = bank.graded.map(({ id }) => id);
  expect(findings.map(({ kind, item_ids }) => [kind, ...item_ids])).toEqual([
    ['dependent', ...ids.slice(0, 2).toSorted()],
    ['dependent', ...ids.slice(2, 4).toSorted()],
  ]);
  const decisions = combineDecisions(
    findings.map((finding) => ({ ...finding, decision: 'less_weight', retired_item: null })),
  );
  const covered = { without: 0, decided: 0 };
  const banks = {
    without: replaceParameters(bank, 'calibrated', false, calibration.parameters),
    decided: replaceParameters(bank, 'decided', false, { ...calibration.parameters, decisions }),
  };
  const people = 3_000;
  for (let person = 0; person < people; person++) {
    const { theta, answers } = simulatePerson(random);
    for (const name of ['without', 'decided'] as const) {
      const { mean, variance } = computePosterior(answers, banks[name]);
      if (Math.abs(theta - mean[0]!) <= 1.96 * Math.sqrt(variance[0]!)) covered[name] += 1 / people;
    }
  }
  expect(covered.without).toBeLessThan(0.93);
  expect(covered.decided).toBeGreaterThan(0.93);
});
