import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { computeReferenceShares } from '#test/modules/reference-engine.ts';
import { describeLimits, largestShare, limitPriorities } from './trait-shares.ts';

const priorities = fc
  .dictionary(
    fc.constantFrom(...traitCodes),
    fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1e-300, noNaN: true }),
      fc.constantFrom(0, 1),
    ),
    { minKeys: 1 },
  )
  .filter((map) => Object.values(map).some((priority) => priority > 0)) as fc.Arbitrary<TraitPriorities>;

const sumValues = (map: TraitPriorities) => Object.values(map).reduce((total, value) => total + value, 0);

test('no trait has more than 40 % of the weight, whatever the priorities are', () => {
  fc.assert(
    fc.property(priorities, (map) => {
      const limited = limitPriorities(map).priorities;
      const largest = Math.max(...Object.values(map));
      const scaled = Object.values(limited).map((value) => value / Math.max(...Object.values(limited)));
      expect(largest).toBeGreaterThan(0);
      expect(1 / scaled.reduce((total, value) => total + value, 0)).toBeLessThanOrEqual(largestShare + 1e-6);
    }),
  );
});

test('the excess is spread evenly over the other measured traits', () => {
  fc.assert(
    fc.property(priorities, (map) => {
      const largest = Math.max(...Object.values(map));
      const scaled = Object.fromEntries(Object.entries(map).map(([code, value]) => [code, value / largest]));
      const limited = limitPriorities(map).priorities;
      const expected = computeReferenceShares(scaled);
      const peak = Math.max(...Object.values(limited));
      const total = Object.values(limited).reduce((sum, value) => sum + value / peak, 0);
      for (const [slot, code] of traitCodes.entries())
        expect((limited[code] ?? 0) / peak / total).toBeCloseTo(expected[slot]!, 6);
    }),
  );
});

test('the traits that are limited are named, and priorities that need no limit stay as they are', () => {
  expect(limitPriorities({ persistence: 1 }).limited).toEqual(['persistence']);
  expect(limitPriorities({ persistence: 1 }).priorities.persistence).toBe(0.4);
  expect(limitPriorities({ persistence: 1, sincerity: 1 }).limited).toEqual(['persistence', 'sincerity']);
  // The second has 39.02 %, and exceeds the limit with its part of what the first gives away.
  expect(limitPriorities({ persistence: 1, sincerity: 0.64 }).limited).toEqual(['persistence', 'sincerity']);
  expect(sumValues(limitPriorities({ persistence: 1, sincerity: 1 }).priorities)).toBeCloseTo(1, 12);
  const broad = { persistence: 0.4, sincerity: 0.3, discretion: 0.3 };
  expect(limitPriorities(broad)).toEqual({ priorities: broad, limited: [] });
  expect(describeLimits(broad)).toEqual([]);
  expect(describeLimits({ persistence: 1, sincerity: 1 })).toEqual([
    'In the fit, no trait has more than 40 % of the weight. What exceeds this for persistence and sincerity is spread over the other traits.',
  ]);
});
