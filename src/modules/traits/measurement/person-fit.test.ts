import { expect, test } from 'vitest';
import { itemBank, listGradedItems } from '../items/item-bank.ts';
import { computeCategoryProbabilities, toKeyedCategory } from './graded-response.ts';
import { computeTraitEvidence, listStatementAnswers } from './person-fit.ts';

test('is zero without answers, and positive only if both keys of a trait agree', () => {
  expect(computeTraitEvidence([])).toBeCloseTo(0, 12);
  const items = listGradedItems('sincerity');
  const consistent = items.map((item) => ({ item, option: item.reversed ? 0 : 4 }));
  const agreeing = items.map((item) => ({ item, option: 4 }));
  expect(computeTraitEvidence(consistent)).toBeGreaterThan(3);
  expect(computeTraitEvidence(agreeing)).toBeLessThan(-10);
});

test('compares the likelihoods of both models, computed here by sums over a fine grid and over all orders', () => {
  const [first, second] = [listGradedItems('sincerity')[0]!, listGradedItems('discretion')[1]!];
  const answers = [
    { item: first, option: 3 },
    { item: second, option: 3 },
  ];
  // Careless: uniform frequencies over five options give 1/5 for the first answer, and (1 + 1) / (5 + 1) for the same option again.
  const careless = Math.log((1 / 5) * (2 / 6));
  let traits = 0;
  let weights = 0;
  for (const shift of [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1]) {
    const weight = Math.exp(-((shift / 0.35) ** 2) / 2);
    weights += weight;
    traits += weight * answers.reduce((product, answer) => product * computeIntegral(answer, shift), 1);
  }
  expect(computeTraitEvidence(answers)).toBeCloseTo(Math.log(traits / weights) - careless, 3);
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

function computeIntegral(
  { item, option }: { item: (typeof itemBank.graded)[number]; option: number },
  shift: number,
): number {
  const category = toKeyedCategory(item, option);
  let sum = 0;
  for (let theta = -5; theta <= 5; theta += 0.01) {
    const density = Math.exp(-(theta * theta) / 2) / Math.sqrt(2 * Math.PI);
    sum +=
      0.01 *
      density *
      computeCategoryProbabilities(item, theta + (item.reversed ? -shift : shift))[category]!;
  }
  return sum;
}
