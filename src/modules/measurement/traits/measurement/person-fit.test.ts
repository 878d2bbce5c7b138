import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal, pickOne } from '@tessera/psychometrics/seeded-random';
import { computeCategoryProbabilities, toKeyedCategory, type GradedParameters } from '@tessera/psychometrics';
import { itemBank } from '../items/item-bank.ts';
import type { GradedItem } from '../items/item.ts';
import { computeAnswerEvidence, listStatementAnswers } from './person-fit.ts';
import { simulateMember } from './simulated-member.ts';
import { behaviours, type Behaviour } from '#test/modules/simulated-behaviour.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { listGradedItems } from '#test/modules/items.ts';

test('is zero without answers, and speaks for carelessness if both keys of a trait contradict each other', () => {
  const none = computeAnswerEvidence([], itemBank);
  expect(none.careless).toBeCloseTo(0, 12);
  expect(none.idealised).toBeCloseTo(0, 12);
  const items = listGradedItems('sincerity');
  const consistent = items.map((item) => ({ item, option: item.reversed ? 0 : 4 }));
  const agreeing = items.map((item) => ({ item, option: 4 }));
  expect(computeAnswerEvidence(consistent, itemBank).careless).toBeLessThan(-3);
  expect(computeAnswerEvidence(agreeing, itemBank).careless).toBeGreaterThan(5);
});

test('compares the likelihoods of the models, computed here by drawing members and parameters and over all orders', () => {
  const items = [
    listGradedItems('sincerity')[0]!,
    listGradedItems('discretion')[1]!,
    listGradedItems('persistence')[2]!,
  ];
  const answers = items.map((item) => ({ item, option: 3 }));
  // Careless: uniform frequencies over five options give 1/5 for the first answer, and 2/6 and 3/7 for the same option again.
  const random = createSeededRandom(3);
  const draw = (sd: number) => sd * drawStandardNormal(random);
  const { items: own, shared } = itemBank.errors;
  const judged = Map.groupBy([...itemBank.graded, ...(itemBank.retired ?? [])], ({ trait }) => trait);
  const drawItem = ({ trait, reversed }: GradedItem) => {
    const { discrimination, thresholds } = pickOne(random, judged.get(trait)!);
    const error = Math.exp(draw(own.log_discrimination));
    return { thresholds, discrimination: discrimination * error, ...(reversed && { reversed }) };
  };
  const sums = { traits: 0, idealised: 0, first: 0 };
  const draws = 100_000;
  for (let count = 0; count < draws; count++) {
    const shift = draw(0.35);
    const general = draw(Math.sqrt(0.1 + shared.location ** 2));
    const integrity = draw(Math.sqrt(0.3));
    const thetas = [integrity, integrity, draw(Math.sqrt(0.3))].map(
      (family) => general + family + draw(Math.sqrt(0.6)),
    );
    const drawn = items.map(drawItem);
    const compute = (move: Move, agreement: number) =>
      drawn.map((item, place) => computeProbability(item, 3, thetas[place]!, agreement, move));
    const plain = compute({ to: [0, 1, 2, 3, 4], probability: 0.5 }, shift);
    const styled = [
      { to: [0, 0, 2, 4, 4], probability: 0.9 },
      { to: [0, 0, 2, 4, 4], probability: 0.5 },
      { to: [1, 1, 2, 3, 3], probability: 0.5 },
      { to: [1, 2, 2, 2, 3], probability: 0.5 },
    ].map((move) => multiply(compute(move, 0)));
    sums.traits += 0.6 * multiply(plain) + 0.1 * styled.reduce((sum, each) => sum + each, 0);
    sums.idealised += multiply(compute({ to: [1, 2, 3, 4, 4], probability: 0.9 }, shift));
    sums.first += plain[0]! * plain[1]!;
  }
  const { careless, idealised } = computeAnswerEvidence(answers, itemBank);
  expect(idealised).toBeCloseTo(Math.log(sums.idealised / sums.traits), 1);
  const [whole, half] = [(1 / 5) * (2 / 6) * (3 / 7), (sums.first / draws) * (1 / 5)];
  expect(careless).toBeCloseTo(Math.log((whole + half) / 2 / (sums.traits / draws)), 1);
});

test('speaks for idealised answers if nearly every answer is one step more favourable than the others suggest', () => {
  const random = createSeededRandom(8);
  const measure = (behave: Behaviour) => {
    const answers = simulateAssessment(simulateMember(createSeededRandom(4)), 'idealised', random, {
      behave,
    });
    return computeAnswerEvidence(listStatementAnswers(answers, itemBank), itemBank);
  };
  expect(measure(behaviours.honest()).idealised).toBeLessThan(0);
  const favourable = measure(behaviours['clearly favourable: every answer one step better']());
  expect(favourable.idealised).toBeGreaterThan(0);
  expect(favourable.careless).toBeLessThan(0);
});

test('lists the answers to statements that apply', () => {
  const item = itemBank.graded.find(({ may_not_apply }) => may_not_apply)!;
  const scenario = itemBank.scenarios[0]!;
  const answers = [
    { item_id: item.id, option: 5 },
    { item_id: scenario.id, option: 1 },
    { item_id: itemBank.graded[0]!.id, option: 1 },
  ];
  expect(listStatementAnswers(answers, itemBank)).toEqual([{ item: itemBank.graded[0], option: 1 }]);
});

/** What becomes of each category with a probability. */
type Move = { readonly to: readonly number[]; readonly probability: number };

/** Computes the probability of an option for a member with a trait and a tendency to agree, some of whose answers are moved. */
function computeProbability(
  item: GradedParameters,
  option: number,
  theta: number,
  shift: number,
  { to, probability }: Move,
): number {
  const category = toKeyedCategory(item, option);
  const probabilities = computeCategoryProbabilities(item, theta + (item.reversed ? -shift : shift));
  const moved = probabilities.reduce((sum, each, from) => sum + (to[from] === category ? each : 0), 0);
  return (1 - probability) * probabilities[category]! + probability * moved;
}

function multiply(values: readonly number[]): number {
  return values.reduce((product, value) => product * value, 1);
}
