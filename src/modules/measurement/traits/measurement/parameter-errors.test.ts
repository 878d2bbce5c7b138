import { describe, expect, test } from 'vitest';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { computeCategoryProbabilities, toKeyedCategory } from '@tessera/psychometrics';
import { indexBank, noErrors, type ItemBank } from '../items/bank.ts';
import { itemBank, judgedBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { measureAnswers } from './measure-answers.ts';
import { addParameterErrors } from './parameter-errors.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { moveLocation, moveToMean, perturbBank } from '#test/modules/item-worlds.ts';

const traits = itemBank.traits;

describe('the errors of parameters', () => {
  test('change no mean, and no variance of a trait without answers', () => {
    const answers = itemBank.graded.slice(0, 5).map(({ id }) => ({ item_id: id, option: 3 }));
    const posterior = computePosterior(answers);
    const widened = addParameterErrors(posterior, answers, itemBank);
    expect(widened.mean).toEqual(posterior.mean);
    expect(widened.variance[0]).toBeGreaterThan(posterior.variance[0]! + 0.05);
    expect(widened.variance.slice(1)).toEqual(posterior.variance.slice(1));
    expect(widened.covariance[0]![0]).toBe(widened.variance[0]);
    expect(addParameterErrors(posterior, answers, { ...itemBank, errors: noErrors })).toEqual(posterior);
  });

  test('add what a small change of the parameters does to the mean (compared with differences)', () => {
    const answers = itemBank.graded.slice(0, 6).map(({ id }, index) => ({ item_id: id, option: index % 5 }));
    const step = 0.01;
    const computeMean = (change: (item: GradedItem) => GradedItem) =>
      computePosterior(answers, indexBank({ ...itemBank, graded: itemBank.graded.map(change) })).mean[0]!;
    const before = computePosterior(answers).mean[0]!;
    const moved = computeMean((item) => moveLocation(item, step)) - before;
    const stretched =
      computeMean((item) => ({ ...item, discrimination: item.discrimination * Math.exp(step) })) - before;
    const computeAdded = (location: number, log_discrimination: number) => {
      const errors = { ...noErrors, shared: { location, log_discrimination } };
      const posterior = computePosterior(answers);
      return (
        addParameterErrors(posterior, answers, { ...itemBank, errors }).variance[0]! - posterior.variance[0]!
      );
    };
    expect(Math.sqrt(computeAdded(step, 0))).toBeCloseTo(Math.abs(moved), 3);
    expect(Math.sqrt(computeAdded(0, step))).toBeCloseTo(Math.abs(stretched), 3);
  });

  test('use the standard errors of a statement instead of the errors of the bank', () => {
    const answers = itemBank.graded.slice(0, 6).map(({ id }) => ({ item_id: id, option: 2 }));
    const precise = indexBank({
      ...itemBank,
      errors: { ...itemBank.errors, shared: noErrors.shared },
      graded: itemBank.graded.map((item) => ({
        ...item,
        standard_errors: { discrimination: 0, thresholds: item.thresholds.map(() => 0) },
      })),
    });
    const posterior = computePosterior(answers);
    expect(addParameterErrors(posterior, answers, precise)).toEqual(posterior);
  });
});

describe('bounds with parameters that are wrong by as much as the bank says (seed 41)', () => {
  test('cover 93 to 97 % of the true values, and clearly fewer without the errors', () => {
    const random = createSeededRandom(41);
    const worlds = Array.from({ length: 40 }, () => perturbBank(itemBank, random));
    const { widened, plain, mean } = measurePeople(itemBank, worlds, 8, random);
    expect(Math.abs(mean)).toBeLessThan(0.06);
    expect(plain).toBeLessThan(0.9);
    expect(widened).toBeGreaterThan(0.93);
    expect(widened).toBeLessThan(0.97);
  });

  test('with the judged parameters, people who answer 3.63 on average get +0.7; with the anchored ones, nearly 0', () => {
    const random = createSeededRandom(42);
    const people = [moveToMean(judgedBank, 3.63)];
    const judged = measurePeople(judgedBank, people, 150, random);
    expect(judged.mean).toBeGreaterThan(0.6);
    expect(judged.plain).toBeLessThan(0.65);
    const anchored = measurePeople(itemBank, people, 150, random);
    expect(Math.abs(anchored.mean)).toBeLessThan(0.17);
    expect(anchored.widened).toBeGreaterThan(0.93);
  });
});

test('a measurement has the wider variances, and says that its parameters are provisional', () => {
  const answers = itemBank.graded
    .filter((_, index) => index % 2 === 0)
    .map(({ id }) => ({ item_id: id, option: 3 }));
  const measured = measureAnswers(answers, itemBank);
  expect(measured).toMatchObject({ provisional: true, parameter_version: itemBank.parameter_version });
  const posterior = computePosterior(answers);
  expect(measured.latent.variance[0]).toBeGreaterThan(posterior.variance[0]!);
  expect(measured.vector.traits[0]!.confidence).toBeCloseTo(1 - measured.latent.variance[0]!, 12);
});

/** Measures simulated people of several worlds, who each answer six statements of every trait by the parameters of their world. */
function measurePeople(bank: ItemBank, worlds: readonly ItemBank[], people: number, random: Random) {
  const total = { mean: 0, plain: 0, widened: 0 };
  const count = worlds.length * people * traits.length;
  for (const world of worlds)
    for (let person = 0; person < people; person++) {
      const member = simulateMember(random);
      const answers = answerStatements(world, member.traits, random);
      const posterior = computePosterior(answers, bank);
      const widened = addParameterErrors(posterior, answers, bank);
      for (const [slot, truth] of member.traits.entries()) {
        const distance = Math.abs(truth - posterior.mean[slot]!);
        total.mean += posterior.mean[slot]! / count;
        total.plain += Number(distance <= 1.96 * Math.sqrt(posterior.variance[slot]!)) / count;
        total.widened += Number(distance <= 1.96 * Math.sqrt(widened.variance[slot]!)) / count;
      }
    }
  return total;
}

function answerStatements(world: ItemBank, values: readonly number[], random: Random): Answer[] {
  return traits.flatMap((trait, slot) => {
    const statements = world.gradedByTrait.get(trait)!;
    const start = Math.floor(random() * statements.length);
    return Array.from({ length: 6 }, (_, place) => {
      const item = statements[(start + 2 * place) % statements.length]!;
      let left = random();
      const category = computeCategoryProbabilities(item, values[slot]!).findIndex((p) => (left -= p) < 0);
      return { item_id: item.id, option: toKeyedCategory(item, category === -1 ? 4 : category) };
    });
  });
}
