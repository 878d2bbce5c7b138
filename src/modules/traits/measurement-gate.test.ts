import { beforeAll, describe, expect, test } from 'vitest';
import { correlation } from './calibration/fit.ts';
import { getItem } from './items/item-bank.ts';
import { isGraded } from './items/item.ts';
import { posteriorOf } from './posterior.ts';
import { usualTotal } from './progress.ts';
import { simulatedAssessment, simulatedMember } from './simulated-member.ts';
import { seededRandom } from '#lib/seeded-random.ts';
import { continuousTraits } from './taxonomy.ts';

const seed = 20;
const people = 350;

type Estimate = { readonly truth: number; readonly mean: number; readonly standardError: number };

/**
 * The acceptance gate of the measurement: people drawn from the prior take the whole assessment and answer as the bank's own
 * parameters say. This is a ceiling: real people and calibrated parameters will do worse than the model does with itself.
 */
describe(`the measurement of ${people} simulated people (seed ${seed})`, () => {
  const estimates: Estimate[] = [];
  const lengths: number[] = [];
  let statements = 0;
  const found = () =>
    correlation(
      estimates.map(({ truth }) => truth),
      estimates.map(({ mean }) => mean),
    );

  beforeAll(() => {
    const random = seededRandom(seed);
    for (let person = 0; person < people; person++) {
      const member = simulatedMember(random);
      const answers = simulatedAssessment(member, `gate-${person}`, random);
      const { mean, variance } = posteriorOf(answers);
      lengths.push(answers.length);
      statements += answers.filter(({ item_id }) => isGraded(getItem(item_id))).length;
      for (const [index, truth] of member.traits.entries())
        estimates.push({ truth, mean: mean[index]!, standardError: Math.sqrt(variance[index]!) });
    }
  });

  test('correlates at least 0.92 with the truth', () => {
    expect(found()).toBeGreaterThanOrEqual(0.92);
  });

  // The correlation of 350 people has a standard error of 0.0019; what the posterior variances promise has one of 0.0002.
  test('promises no more and no less: the variances say the correlation that is found', () => {
    const promised = Math.sqrt(1 - average(estimates.map(({ standardError }) => standardError ** 2)));
    expect(promised).toBeGreaterThanOrEqual(0.922);
    expect(Math.abs(found() - promised)).toBeLessThan(0.005);
  });

  test('misses the truth by at most 0.41 standard deviations (root mean square)', () => {
    const squared = estimates.map(({ truth, mean }) => (truth - mean) ** 2);
    expect(Math.sqrt(average(squared))).toBeLessThanOrEqual(0.41);
  });

  test('has 95 % bounds that hold the truth for 93 to 97 %', () => {
    const held = estimates.map(({ truth, mean, standardError }) =>
      Math.abs(truth - mean) <= 1.96 * standardError ? 1 : 0,
    );
    expect(average(held)).toBeGreaterThanOrEqual(0.93);
    expect(average(held)).toBeLessThanOrEqual(0.97);
  });

  test('needs at most 8 statements a trait, and reaches a standard error of 0.4 for 19 traits of 20', () => {
    expect(statements / people / continuousTraits.length).toBeLessThanOrEqual(8);
    expect(average(estimates.map(({ standardError }) => (standardError <= 0.4 ? 1 : 0)))).toBeGreaterThan(
      0.95,
    );
  });

  test('takes about as long as progress says', () => {
    const sorted = lengths.toSorted((one, other) => one - other);
    expect(Math.abs(sorted[people / 2]! - usualTotal)).toBeLessThanOrEqual(2);
    expect(sorted[Math.floor(people / 20)]).toBeGreaterThanOrEqual(103);
  });
});

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
