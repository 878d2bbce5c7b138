import { beforeAll, describe, expect, test } from 'vitest';
import { computeCorrelation } from '../calibration/fit.ts';
import { type ItemBank, indexBank } from '../items/bank.ts';
import { requireItem, itemBank } from '../items/item-bank.ts';
import { isGraded } from '../items/item.ts';
import { computePosterior } from './posterior.ts';
import { usualTotal } from './progress.ts';
import { priorCorrelation } from './prior.ts';
import { simulateAnswers, simulateAssessment, simulateMember } from './simulated-member.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { type ContinuousTrait, continuousTraits, traitFamilies } from '../taxonomy.ts';

const seed = 20;
const people = 300;
/** So many that the correlation has a standard error of 0.001. */
const familyPeople = 6000;

type Estimate = { readonly truth: number; readonly mean: number; readonly standardError: number };

/**
 * The acceptance gate of the measurement: people drawn from the prior take the whole assessment and answer as the bank's own
 * parameters say. This is a ceiling: real people and calibrated parameters will do worse than the model does with itself.
 */
describe(`the measurement of ${people} simulated people (seed ${seed})`, () => {
  const estimates: Estimate[] = [];
  const lengths: number[] = [];
  let statements = 0;
  beforeAll(() => {
    const random = createSeededRandom(seed);
    for (let person = 0; person < people; person++) {
      const member = simulateMember(random);
      const answers = simulateAssessment(member, `gate-${person}`, random);
      const { mean, variance } = computePosterior(answers);
      lengths.push(answers.length);
      statements += answers.filter(({ item_id }) => isGraded(requireItem(item_id))).length;
      for (const [index, truth] of member.traits.entries())
        estimates.push({ truth, mean: mean[index]!, standardError: Math.sqrt(variance[index]!) });
    }
  }, 240_000);

  test('correlates at least 0.92 with the truth', () => {
    expect(summary(estimates).r).toBeGreaterThanOrEqual(0.92);
  });

  // The correlation of 300 people has a standard error of 0.002; what the posterior variances promise has one of 0.0002.
  test('promises no more and no less: the variances say the correlation that is found', () => {
    const { r, promised } = summary(estimates);
    expect(promised).toBeGreaterThanOrEqual(0.922);
    expect(Math.abs(r - promised)).toBeLessThan(0.005);
  });

  test('misses the truth by at most 0.41 standard deviations (root mean square)', () => {
    expect(summary(estimates).rmse).toBeLessThanOrEqual(0.41);
  });

  test('has 95 % bounds that hold the truth for 93 to 97 %', () => {
    expect(summary(estimates).covered).toBeGreaterThanOrEqual(0.93);
    expect(summary(estimates).covered).toBeLessThanOrEqual(0.97);
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

/**
 * The same where the bank is no better than the requirement says, a discrimination of 1.5 in the mean, for the four traits of one
 * family: there the limit of 120 items ends nobody's assessment early. What the variances promise is what the rule of stopping at a
 * standard error of 0.4 leaves: 0.921.
 */
test(`${familyPeople} people, at a mean discrimination of 1.5, need at most 8 statements a trait`, () => {
  const bank = familyBank(traitFamilies.integrity_trust, 1.5);
  const random = createSeededRandom(seed);
  const measured: Estimate[] = [];
  let count = 0;
  for (let person = 0; person < familyPeople; person++) {
    const { traits, answers } = simulateAnswers(`family-${person}`, random, { bank });
    const { mean, variance } = computePosterior(answers, bank);
    count += answers.length;
    for (const [index, truth] of traits.entries())
      measured.push({ truth, mean: mean[index]!, standardError: Math.sqrt(variance[index]!) });
  }
  const { r, promised, rmse, covered } = summary(measured);
  expect(r).toBeGreaterThanOrEqual(0.92);
  expect(promised).toBeGreaterThanOrEqual(0.92);
  expect(Math.abs(r - promised)).toBeLessThan(0.003);
  expect(rmse).toBeLessThanOrEqual(0.41);
  expect(covered).toBeGreaterThanOrEqual(0.93);
  expect(covered).toBeLessThanOrEqual(0.97);
  expect(count / familyPeople / bank.traits.length).toBeLessThanOrEqual(8);
}, 120_000);

/** One family's traits with their statements, the discriminations scaled to a mean. */
function familyBank(traits: readonly ContinuousTrait[], discrimination: number): ItemBank<string> {
  const graded = itemBank.graded.filter(({ trait }) => traits.includes(trait));
  const scale = discrimination / average(graded.map((item) => item.discrimination));
  return indexBank<string>({
    ...itemBank,
    traits,
    covariance: traits.map((row) =>
      traits.map((column) => (row === column ? 1 : priorCorrelation.within_family)),
    ),
    graded: graded.map((item) => ({ ...item, discrimination: item.discrimination * scale })),
    scenarios: [],
  });
}

type Summary = {
  readonly r: number;
  /** The correlation that the posterior variances promise, in a population of variance 1. */
  readonly promised: number;
  readonly rmse: number;
  readonly covered: number;
};

function summary(estimates: readonly Estimate[]): Summary {
  return {
    r: computeCorrelation(
      estimates.map(({ truth }) => truth),
      estimates.map(({ mean }) => mean),
    ),
    promised: Math.sqrt(1 - average(estimates.map(({ standardError }) => standardError ** 2))),
    rmse: Math.sqrt(average(estimates.map(({ truth, mean }) => (truth - mean) ** 2))),
    covered: average(
      estimates.map(({ truth, mean, standardError }) =>
        Math.abs(truth - mean) <= 1.96 * standardError ? 1 : 0,
      ),
    ),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
