import { expect, test } from 'vitest';
import { listGradedItems } from '#test/modules/items.ts';
import { replaceParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { computeAnswerEvidence } from './person-fit.ts';
import { computePosterior } from './posterior.ts';

/** Calibrations that differ in nothing but the correlation of all traits. */
const [together, apart] = [0.8, 0].map((correlation) =>
  replaceParameters(itemBank, `correlated-${correlation}`, false, {
    items: {},
    correlations: itemBank.traits.map((one) =>
      itemBank.traits.map((other) => (one === other ? 1 : correlation)),
    ),
  }),
) as [typeof itemBank, typeof itemBank];

const answerAll = (trait: Parameters<typeof listGradedItems>[0], isHigh: boolean) =>
  listGradedItems(trait).map((item) => ({ item, option: isHigh === !item.reversed ? 4 : 0 }));

test('the prior carries what one trait says to another as far as the learned correlation does', () => {
  const answers = answerAll('persistence', true).map(({ item: { id }, option }) => ({ item_id: id, option }));
  const [slot, other] = [itemBank.slots.get('persistence')!, itemBank.slots.get('discretion')!];
  const [linked, alone] = [together, apart].map((bank) => computePosterior(answers, bank));
  expect(linked!.mean[slot]).toBeGreaterThan(1);
  expect(linked!.mean[other]! / linked!.mean[slot]!).toBeCloseTo(0.8, 6);
  expect(1 - linked!.variance[other]!).toBeCloseTo(0.8 ** 2 * (1 - linked!.variance[slot]!), 6);
  expect(alone!.mean[other]).toBeCloseTo(0, 12);
  expect(alone!.variance[other]).toBeCloseTo(1, 12);
});

test('person fit takes opposite sides of two traits for less careless where these are unrelated', () => {
  const opposite = [...answerAll('persistence', true), ...answerAll('discretion', false)];
  const alike = [...answerAll('persistence', true), ...answerAll('discretion', true)];
  const compute = (answers: typeof opposite, bank: typeof itemBank) =>
    computeAnswerEvidence(answers, bank).careless;
  expect(compute(opposite, together)).toBeGreaterThan(compute(opposite, apart) + 1);
  expect(compute(alike, together)).toBeLessThan(compute(alike, apart) - 0.3);
});
