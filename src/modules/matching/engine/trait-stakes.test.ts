import { expect, test } from 'vitest';
import { builtInNorms, toTraitSlot } from '#modules/measurement/traits';
import { computeFitWeights } from './fit.ts';
import { computeTraitStakes } from './trait-stakes.ts';

const weights = computeFitWeights({ persistence: 1, sincerity: 0.3 }, builtInNorms);
const [persistence, sincerity] = [toTraitSlot('persistence'), toTraitSlot('sincerity')];

test('a trait has the more at stake, the more it contributes to the fit', () => {
  const stakes = computeTraitStakes([{ weights, fit: { mean: 1.3, sd: 0.4 } }]);
  expect(stakes).toHaveLength(20);
  expect(stakes[persistence]).toBe(Math.max(...stakes));
  expect(stakes[persistence]).toBeGreaterThan(stakes[sincerity]!);
});

test('a match whose tier will hold has nothing at stake, one near a cut has', () => {
  const certain = computeTraitStakes([{ weights, fit: { mean: -3, sd: 0.3 } }]);
  const uncertain = computeTraitStakes([{ weights, fit: { mean: 1.3, sd: 0.4 } }]);
  expect(certain[persistence]).toBeLessThan(1e-6);
  expect(uncertain[persistence]).toBeGreaterThan(0.1);
});

test('the stakes of several matches add up; without a match all are zero', () => {
  const match = { weights, fit: { mean: 1.3, sd: 0.4 } };
  const [one, two] = [computeTraitStakes([match]), computeTraitStakes([match, match])];
  expect(two[persistence]).toBeCloseTo(2 * one[persistence]!);
  expect(computeTraitStakes([])).toEqual(Array(20).fill(0));
});
