import { expect, test } from 'vitest';
import { computeNormalAverage, getItemCurves } from '@tessera/psychometrics';
import { itemBank } from '../items/item-bank.ts';
import { hasEligiblePlace } from './eligible-statements.ts';

const seeds = Array.from({ length: 1_000 }, (_, index) => `seed-${index}`);
const statements = itemBank.gradedByTrait.get('persistence')!;

const listEligible = (seed: string, share = 0.6) =>
  statements.filter(({ id }) => hasEligiblePlace(id, 'persistence', seed, itemBank, share));

test('each statement is eligible for the given share of the members', () => {
  const draws = seeds.map((seed) => new Set(listEligible(seed).map(({ id }) => id)));
  for (const { id } of statements) {
    const share = draws.filter((each) => each.has(id)).length / seeds.length;
    // The standard error is 0.015.
    expect(Math.abs(share - 0.6)).toBeLessThan(0.06);
  }
});

test('each member can get three of five statements, and one of the best two', () => {
  for (const seed of seeds) expect([7, 8]).toContain(listEligible(seed).length);
  const ranked = statements
    .map((item) => ({ item, information: computeNormalAverage(getItemCurves(item).information, 0, 1) }))
    .toSorted((one, other) => other.information - one.information);
  const best = new Set(ranked.slice(0, 2).map(({ item }) => item));
  for (const seed of seeds) expect(listEligible(seed).some((each) => best.has(each))).toBe(true);
});

test('a draw is the same whenever it is asked for, and all statements are eligible at a share of 1', () => {
  expect(listEligible('once')).toEqual(listEligible('once'));
  expect(listEligible('all', 1)).toEqual(statements);
  expect(hasEligiblePlace('unknown_01', 'persistence', 'once', itemBank, 0.6)).toBe(false);
});
