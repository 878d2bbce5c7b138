import { beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeCorrelation, normalCdf } from '@tessera/psychometrics';
import { indexBank, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, type Answer } from '../items/item.ts';
import { continuousTraits, traitFamilies, type ContinuousTrait } from '../taxonomy.ts';
import { computePosterior } from './posterior.ts';
import { assumedCorrelation } from '../prior.ts';
import { claimPosition, type TraitWord } from './trait-words.ts';
import { usualTotal } from './progress.ts';
import { simulateMember, type SimulatedMember } from './simulated-member.ts';
import { first_stage_items } from './stages.ts';
import { simulateAnswers, simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { requireItem } from '#test/modules/items.ts';

const seed = 20;
const memberCount = 300;
/** Enough for a standard error of 0.0015 of the correlation. */
const familyMemberCount = 3000;

type Estimate = { readonly truth: number; readonly mean: number; readonly standardError: number };

/**
 * The acceptance gate of the measurement: members drawn from the prior complete the assessment and answer according to the parameters of
 * the bank. The results are an upper limit, because real members deviate from the model and calibrated parameters have errors.
 */
describe(`the measurement of ${memberCount} simulated members (seed ${seed})`, () => {
  const estimates: Estimate[] = [];
  /** The estimates after the first items. */
  const early = new Map<number, Estimate[]>([30, first_stage_items, 70].map((items) => [items, []]));
  const lengths: number[] = [];
  let statements = 0;
  /** How often each statement was asked, in the first stage and in all. */
  const asked_first = new Map<string, number>();
  const asked = new Map<string, number>();
  beforeAll(() => {
    const random = createSeededRandom(seed);
    for (let index = 0; index < memberCount; index++) {
      const member = simulateMember(random);
      const answers = simulateAssessment(member, `gate-${index}`, random);
      for (const [items, found] of early) found.push(...estimateTraits(member, answers.slice(0, items)));
      countStatements(answers.slice(0, first_stage_items), asked_first);
      countStatements(answers, asked);
      lengths.push(answers.length);
      statements += answers.filter(({ item_id }) => isGraded(requireItem(item_id))).length;
      estimates.push(...estimateTraits(member, answers));
    }
  });

  test.each([
    [30, 0.76],
    [50, 0.835],
    [70, 0.875],
  ])('correlates with the true values after %d items by at least %d, with honest bounds', (items, r) => {
    const summary = summarise(early.get(items)!);
    expect(summary.r).toBeGreaterThanOrEqual(r);
    expect(summary.covered).toBeGreaterThanOrEqual(0.93);
    expect(summary.covered).toBeLessThanOrEqual(0.97);
  });

  // With 300 members the observed correlation has a standard error of 0.002, the predicted one of 0.0002.
  test('correlates with the true values by at least 0.905', () => {
    expect(summarise(estimates).r).toBeGreaterThanOrEqual(0.905);
  });

  test('predicts its correlation correctly: the posterior variances agree with the observed correlation', () => {
    const { r, predicted } = summarise(estimates);
    expect(predicted).toBeGreaterThanOrEqual(0.905);
    expect(Math.abs(r - predicted)).toBeLessThan(0.005);
  });

  test('differs from the true values by at most 0.42 standard deviations (root mean square)', () => {
    expect(summarise(estimates).rmse).toBeLessThanOrEqual(0.42);
  });

  test('has 95 % bounds that contain 93 to 97 % of the true values', () => {
    expect(summarise(estimates).covered).toBeGreaterThanOrEqual(0.93);
    expect(summarise(estimates).covered).toBeLessThanOrEqual(0.97);
  });

  test('needs at most 8 statements a trait, after which nearly half of the traits have a clear word, and 95 of 100 such words are true', () => {
    expect(statements / memberCount / continuousTraits.length).toBeLessThanOrEqual(8);
    const claims = estimates.map(({ truth, mean, standardError }) => ({
      place: normalCdf(truth),
      ...claimPosition(locate(mean, standardError)),
    }));
    const clear = claims.filter(({ certainty }) => certainty === 'clear');
    expect(clear.length / claims.length).toBeGreaterThan(0.47);
    expect(average(clear.map(({ word, place }) => Number(isTrue(word!, place))))).toBeGreaterThan(0.95);
    const likely = claims.filter(({ certainty }) => certainty === 'likely');
    expect(average(likely.map(({ word, place }) => Number(isTrue(word!, place))))).toBeGreaterThan(0.88);
  });

  test('asks no statement of more than 60 % of the members, in the first stage and in all', () => {
    // The standard error of a share is 0.028; this allows three of them.
    for (const counts of [asked_first, asked]) {
      expect(Math.max(...counts.values()) / memberCount).toBeLessThanOrEqual(0.6 + 3 * 0.028);
    }
    expect(asked.size).toBe(itemBank.graded.length);
  });

  test('needs about as many items as the progress estimates', () => {
    const sorted = lengths.toSorted((one, other) => one - other);
    expect(Math.abs(sorted[memberCount / 2]! - usualTotal)).toBeLessThanOrEqual(2);
    expect(sorted[Math.floor(memberCount / 20)]).toBeGreaterThanOrEqual(98);
  });
});

function countStatements(answers: readonly Answer[], counts: Map<string, number>): void {
  for (const { item_id } of answers)
    if (isGraded(requireItem(item_id))) counts.set(item_id, (counts.get(item_id) ?? 0) + 1);
}

function estimateTraits({ traits }: SimulatedMember, answers: readonly Answer[]): readonly Estimate[] {
  const { mean, variance } = computePosterior(answers);
  return traits.map((truth, slot) => ({
    truth,
    mean: mean[slot]!,
    standardError: Math.sqrt(variance[slot]!),
  }));
}

/**
 * The same with a bank that is only as good as required, with a mean discrimination of 1.5, and with the four traits of one family, for
 * which the limit of 120 items does not end any assessment early. Stopping at a standard error of 0.4 leads to variances that predict a
 * correlation of 0.92.
 */
test(`${familyMemberCount} members need at most 8 statements a trait at a mean discrimination of 1.5`, () => {
  const bank = buildFamilyBank(traitFamilies.integrity_trust, 1.5);
  const random = createSeededRandom(seed);
  const estimates: Estimate[] = [];
  let count = 0;
  for (let member = 0; member < familyMemberCount; member++) {
    const { traits, answers } = simulateAnswers(`family-${member}`, random, { bank });
    const { mean, variance } = computePosterior(answers, bank);
    count += answers.length;
    for (const [index, truth] of traits.entries())
      estimates.push({ truth, mean: mean[index]!, standardError: Math.sqrt(variance[index]!) });
  }
  const { r, predicted, rmse, covered } = summarise(estimates);
  expect(r).toBeGreaterThanOrEqual(0.895);
  expect(predicted).toBeGreaterThanOrEqual(0.895);
  expect(Math.abs(r - predicted)).toBeLessThan(0.003);
  expect(rmse).toBeLessThanOrEqual(0.44);
  expect(covered).toBeGreaterThanOrEqual(0.93);
  expect(covered).toBeLessThanOrEqual(0.97);
  expect(count / familyMemberCount / bank.traits.length).toBeLessThanOrEqual(8);
});

/** Builds a bank of the statements of some traits, with their discriminations scaled to a mean. */
function buildFamilyBank(traits: readonly ContinuousTrait[], discrimination: number): ItemBank<string> {
  const graded = itemBank.graded.filter(({ trait }) => traits.includes(trait));
  const scale = discrimination / average(graded.map((item) => item.discrimination));
  return indexBank<string>({
    ...itemBank,
    traits,
    covariance: traits.map((row) =>
      traits.map((column) => (row === column ? 1 : assumedCorrelation.within_family)),
    ),
    graded: graded.map((item) => ({ ...item, discrimination: item.discrimination * scale })),
    scenarios: [],
  });
}

type Summary = {
  readonly r: number;
  /** The correlation that the posterior variances predict, in a population of variance 1. */
  readonly predicted: number;
  readonly rmse: number;
  /** The share of true values within the 95 % bounds. */
  readonly covered: number;
};

function summarise(estimates: readonly Estimate[]): Summary {
  return {
    r: computeCorrelation(
      estimates.map(({ truth }) => truth),
      estimates.map(({ mean }) => mean),
    ),
    predicted: Math.sqrt(1 - average(estimates.map(({ standardError }) => standardError ** 2))),
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

/** The percentiles of a mean and of its 95 % bounds. */
function locate(mean: number, sd: number) {
  const [lower_bound, score, upper_bound] = [-1.96, 0, 1.96].map((distance) =>
    normalCdf(mean + distance * sd),
  );
  return { score: score!, lower_bound: lower_bound!, upper_bound: upper_bound!, confidence: 1 - sd * sd };
}

/** Whether a word is true of a place in the population. */
function isTrue(word: TraitWord, place: number): boolean {
  if (word === 'average') return place > 0.2 && place < 0.8;
  const side = { much_less: place < 0.2, less: place < 0.5, more: place > 0.5, much_more: place > 0.8 };
  return side[word];
}
