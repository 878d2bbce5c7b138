import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { builtInNorms, traitCodes } from '#modules/measurement/traits';
import { computeFitWeights } from '#modules/matching/engine';
import { applyPolicy, neutralMultipliers, readOccupationGroup, selectMultipliers } from './rules.ts';

const priorities = fc
  .dictionary(
    fc.constantFrom(...traitCodes),
    fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1, noNaN: true })),
    {
      minKeys: 1,
    },
  )
  .filter((map) => Object.values(map).some((priority) => priority > 0));
const multipliers = fc.array(fc.double({ min: 0.2, max: 2, noNaN: true }), { minLength: 20, maxLength: 20 });

it('the first policy changes no bit of any fit', () => {
  fc.assert(
    fc.property(priorities, (trait_priorities) => {
      const job = { trait_priorities, occupation_code: '29-1141.00' };
      for (const policy of [
        { version: 1, multipliers: {} },
        { version: 1, multipliers: { all: neutralMultipliers, 29: neutralMultipliers } },
      ]) {
        expect(applyPolicy(policy, job)).toBe(trait_priorities);
        expect(computeFitWeights(applyPolicy(policy, job), builtInNorms)).toEqual(
          computeFitWeights(trait_priorities, builtInNorms),
        );
      }
    }),
  );
});

it('a policy turns, drops and adds no priority, and keeps the relation of each to its multiplier', () => {
  fc.assert(
    fc.property(priorities, multipliers, (trait_priorities, all) => {
      const changed = applyPolicy(
        { version: 2, multipliers: { all } },
        { trait_priorities, occupation_code: null },
      );
      expect(Object.keys(changed).toSorted()).toEqual(Object.keys(trait_priorities).toSorted());
      const scales = traitCodes.flatMap((code, trait) => {
        const [before, after] = [trait_priorities[code], changed[code]];
        if (before === undefined || after === undefined) return [];
        expect(after > 0).toBe(before > 0);
        expect(after).toBeLessThanOrEqual(1);
        return before > 0 ? [after / (before * all[trait]!)] : [];
      });
      for (const scale of scales) expect(scale / scales[0]!).toBeCloseTo(1, 9);
      expect([...computeFitWeights(changed, builtInNorms).relative].every(Number.isFinite)).toBe(true);
    }),
  );
});

it('a job family has its own multipliers, and other jobs those of all', () => {
  const [all, nurses] = [neutralMultipliers.map(() => 1.08), neutralMultipliers.map(() => 0.92)];
  expect(selectMultipliers({ all, 29: nurses }, '29')).toBe(nurses);
  expect(selectMultipliers({ all, 29: nurses }, '15')).toBe(all);
  expect(selectMultipliers({ all, 29: nurses }, null)).toBe(all);
  expect(selectMultipliers({}, '29')).toBe(neutralMultipliers);
  expect([readOccupationGroup('29-1141.00'), readOccupationGroup(null)]).toEqual(['29', null]);
});
