import { expect, test } from 'vitest';
import { noErrors, replaceParameters, type ItemBank } from '../items/bank.ts';
import type { BankDecisions } from '../items/decisions.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { addParameterErrors } from './parameter-errors.ts';
import { computePosterior } from './posterior.ts';
import { createWeigher } from './answer-weights.ts';

const own = { items: {}, correlations: null };
const apply = (decisions: BankDecisions): ItemBank =>
  replaceParameters(itemBank, 'decided', false, { ...own, decisions });
const [first, second, third] = itemBank.gradedByTrait.get('persistence')!;
const slot = itemBank.slots.get('persistence')!;
const answer = (item: { readonly id: string }): Answer => ({ item_id: item.id, option: 3 });
const answers = [answer(first!), answer(second!), answer(third!)];
const pair = { items: [first!.id, second!.id], correlation: 0.5, is_asked_together: true } as const;

test('answers to dependent statements count less only together, in any order, and as much as correlated measurements do', () => {
  const bank = apply({ weights: {}, pairs: [pair] });
  const weigh = createWeigher(answers, bank);
  expect(answers.map((_, place) => weigh([first, second, third][place]!))).toEqual([1 / 1.5, 1 / 1.5, 1]);
  expect(createWeigher([answers[0]!], bank)(first!)).toBe(1);
  expect(computePosterior(answers.toReversed(), bank).mean[slot]).toBeCloseTo(
    computePosterior(answers, bank).mean[slot]!,
    10,
  );
  const decided = computePosterior(answers, bank).variance[slot]!;
  expect(decided).toBeGreaterThan(computePosterior(answers, itemBank).variance[slot]!);
  expect(decided).toBeLessThan(computePosterior([answers[0]!, answers[2]!], itemBank).variance[slot]!);
});

test('an answer to a retired statement counts nothing: as if it had not been given', () => {
  const bank = apply({ weights: { [first!.id]: 0 }, pairs: [pair] });
  const measure = (given: readonly Answer[]) =>
    addParameterErrors(computePosterior(given, bank), given, bank).variance[slot]!;
  expect(measure(answers)).toBeCloseTo(measure(answers.slice(1)), 12);
  expect(bank.gradedByTrait.get('persistence')).toHaveLength(
    itemBank.gradedByTrait.get('persistence')!.length - 1,
  );
});

test('two answers of half the weight count as one, and errors of parameters add less', () => {
  const halved = apply({ weights: { [first!.id]: 0.5 }, pairs: [] });
  const removeErrors = (bank: ItemBank) => ({ ...bank, errors: noErrors });
  const twice = [answers[0]!, answers[0]!];
  expect(computePosterior(twice, removeErrors(halved)).variance[slot]).toBeCloseTo(
    computePosterior(twice.slice(1), removeErrors(itemBank)).variance[slot]!,
    10,
  );
  const computeAdded = (bank: ItemBank, given: readonly Answer[]) =>
    addParameterErrors(computePosterior(given, bank), given, bank).variance[slot]! -
    computePosterior(given, bank).variance[slot]!;
  expect(computeAdded(halved, answers.slice(0, 1))).toBeLessThan(computeAdded(itemBank, answers.slice(0, 1)));
});
