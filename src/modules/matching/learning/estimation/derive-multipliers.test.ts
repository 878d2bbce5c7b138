import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { neutralMultipliers } from '#modules/matching/matches';
import { boundMultiplier, deriveMultipliers, policyBounds } from './derive-multipliers.ts';
import { feature_count, trait_count } from './features.ts';

const { multiplier_min, multiplier_max, step_max } = policyBounds;

it('one version is at most a step from the live one, within the bounds, whatever the coefficients are', () => {
  const buildNumbers = (min: number, max: number, length: number) =>
    fc.array(fc.double({ min, max, noNaN: true }), { minLength: length, maxLength: length });
  fc.assert(
    fc.property(
      buildNumbers(-1e6, 1e6, feature_count),
      buildNumbers(multiplier_min, multiplier_max, trait_count),
      (coefficients, live) => {
        const derived = deriveMultipliers(coefficients, live);
        for (const [trait, multiplier] of (derived ?? live).entries()) {
          expect(Math.abs(multiplier - live[trait]!)).toBeLessThanOrEqual(step_max + 1e-6);
          expect(multiplier).toBeGreaterThanOrEqual(multiplier_min - 1e-9);
          expect(multiplier).toBeLessThanOrEqual(multiplier_max + 1e-9);
        }
      },
    ),
  );
});

it('equal coefficients leave the priorities as they are, and a fit that predicts nothing makes no version', () => {
  const equal = Array<number>(feature_count).fill(0.4);
  expect(deriveMultipliers(equal, neutralMultipliers)).toEqual(neutralMultipliers);
  expect(deriveMultipliers(Array<number>(feature_count).fill(0), neutralMultipliers)).toBeUndefined();
  expect(deriveMultipliers(Array<number>(feature_count).fill(-1), neutralMultipliers)).toBeUndefined();
});

it('many steps towards a negative coefficient end at the lower bound: a priority is never turned', () => {
  let multiplier = 1;
  for (let version = 0; version < 100; version += 1) multiplier = boundMultiplier(-50, multiplier);
  expect(multiplier).toBe(multiplier_min);
});
