import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { limitWeights, organisations_min, respondentCaps, type Weighted } from './limit-weights.ts';

const outcome = fc.record({
  member_id: fc.integer({ min: 0, max: 40 }).map(String),
  org_id: fc.integer({ min: 0, max: 25 }).map(String),
  weight: fc.double({ min: 0.01, max: 6, noNaN: true }),
});

const sumBy = (outcomes: readonly Weighted[], weights: Float64Array, key: 'member_id' | 'org_id') => {
  const sums = new Map<string, number>();
  for (const [index, each] of outcomes.entries())
    sums.set(each[key], (sums.get(each[key]) ?? 0) + weights[index]!);
  return [...sums.values()];
};

it('no organisation has more than its share, no member more than the cap, and no weight grows', () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 300 }), (outcomes) => {
      const weights = limitWeights(outcomes);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [index, weight] of weights.entries())
        expect(weight).toBeLessThanOrEqual(outcomes[index]!.weight * (1 + 1e-9));
      for (const weight of sumBy(outcomes, weights, 'org_id'))
        expect(weight).toBeLessThanOrEqual(respondentCaps.organisation_share * total * (1 + 1e-6) + 1e-9);
      for (const weight of sumBy(outcomes, weights, 'member_id'))
        expect(weight).toBeLessThanOrEqual(respondentCaps.member_weight * (1 + 1e-9));
      const organisations = new Set(outcomes.map(({ org_id }) => org_id)).size;
      expect(total > 0).toBe(organisations >= organisations_min);
    }),
  );
});

const drawFrom = (org_id: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ member_id: `${org_id} ${index}`, org_id, weight: 1 }));

it('leaves weights alone that are within the limits, if each organisation has one', () => {
  const outcomes = Array.from({ length: 40 }, (_, index) => drawFrom(`${index}`, 1)).flat();
  expect([...limitWeights(outcomes)]).toEqual(Array(40).fill(1));
});

it('counts more outcomes of an organisation less and less, up to fifty', () => {
  const small = Array.from({ length: 40 }, (_, index) => drawFrom(`${index}`, 26)).flat();
  const weigh = (count: number) =>
    sumBy(drawFrom('large', count), limitWeights([...drawFrom('large', count), ...small]), 'org_id')[0]!;
  expect([1, 51, 1_000].map(weigh).map((weight) => weight.toFixed(2))).toEqual(['1.00', '25.50', '47.66']);
});
