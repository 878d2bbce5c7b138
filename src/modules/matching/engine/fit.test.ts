import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { arbitraryPriorities, arbitraryVector } from '#test/modules/random-population.ts';
import {
  computeReferenceFit,
  computeReferenceSlots,
  typicalWeights,
} from '#test/modules/reference-engine.ts';
import { computeFit, computeFitWeights, computeRelativeMeans, computeStandardWeights } from './fit.ts';

const variance = traitCodes.map(() => 0.09);
const typical: TraitPriorities = Object.fromEntries(
  traitCodes.map((code, slot) => [code, typicalWeights[slot]!]),
);

describe('fit', () => {
  it('equals w·M mu / sqrt(w’M R M’w) with the variance w’M S M’w / w’M R M’w, as the reference computes it from full matrices', () => {
    fc.assert(
      fc.property(arbitraryPriorities, arbitraryVector, (priorities, vector) => {
        const fit = computeFit(computeFitWeights(priorities, builtInNorms), vector.mean, vector.variance);
        const expected = computeReferenceFit({ member_id: 'a', ...vector }, priorities);
        expect(fit.mean).toBeCloseTo(expected.mean, 10);
        expect(fit.sd).toBeCloseTo(expected.sd, 10);
      }),
    );
  });

  it('is the same as a sum over the traits with weights of which some are negative', () => {
    const moderate = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(arbitraryPriorities, moderate, (priorities, mean) => {
        const weights = computeFitWeights(priorities, builtInNorms);
        const sum = mean.reduce((total, value, slot) => total + weights.effects[slot]! * value, 0);
        expect(computeFit(weights, mean, variance).mean).toBeCloseTo(sum, 10);
        expect(Math.min(...weights.relative)).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(Math.min(...computeFitWeights({ persistence: 1 }, builtInNorms).effects)).toBeLessThan(0);
  });

  it('of two members who differ in level alone differs by less than a third of what it would without the removal', () => {
    const priorities = { empathic_attunement: 1, pressure_response: 0.6, discretion: 0.3 };
    const shape = traitCodes.map((_, slot) => ((slot * 7) % 5) / 5 - 0.4);
    const raised = shape.map((value) => value + 1);
    const [weights, plain] = [
      computeFitWeights(priorities, builtInNorms),
      computeStandardWeights(priorities),
    ];
    const difference = computeFit(weights, raised, variance).mean - computeFit(weights, shape, variance).mean;
    const plainDifference = plain.reduce((sum, weight) => sum + weight, 0);
    expect(Math.abs(difference)).toBeLessThan(plainDifference / 3);
  });

  it('of a job that asks for the typical traits is the typical level, on the same scale as other jobs', () => {
    const mean = traitCodes.map((_, slot) => (slot % 4) / 4);
    const plain = computeStandardWeights(typical);
    const level = mean.reduce((sum, value, slot) => sum + plain[slot]! * value, 0);
    expect(computeFit(computeFitWeights(typical, builtInNorms), mean, variance).mean).toBeCloseTo(level, 10);
  });

  it('does not depend on the scale of the priorities, however small', () => {
    const large = computeFitWeights({ persistence: 1, sincerity: 0.5 }, builtInNorms);
    const tiny = computeFitWeights({ persistence: 1e-200, sincerity: 0.5e-200 }, builtInNorms);
    for (const [slot, weight] of tiny.relative.entries())
      expect(weight).toBeCloseTo(large.relative[slot]!, 12);
    for (const [slot, effect] of tiny.effects.entries()) expect(effect).toBeCloseTo(large.effects[slot]!, 12);
  });

  it('cannot be computed for a job without a priority above zero', () => {
    for (const compute of [computeFitWeights, computeStandardWeights]) {
      expect(() => compute({}, builtInNorms)).toThrow(RangeError);
      expect(() => compute({ persistence: 0 }, builtInNorms)).toThrow(RangeError);
    }
  });
});

describe('relative means', () => {
  it('equal those of the reference, clamped to what a slot can hold', () => {
    fc.assert(
      fc.property(arbitraryVector, ({ mean }) => {
        const expected = computeReferenceSlots(mean);
        for (const [slot, value] of computeRelativeMeans(mean).entries())
          expect(value).toBeCloseTo(expected[slot]!, 10);
      }),
    );
    const far = traitCodes.map((_, slot) => (slot === 0 ? 50 : 0));
    expect(computeRelativeMeans(far)[0]).toBe(127 / 32);
  });
});
