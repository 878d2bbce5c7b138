import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traitCodes } from '#modules/traits';
import { arbitraryPriorities, arbitraryVector } from '#test/modules/random-population.ts';
import { computeReferenceFit } from '#test/modules/reference-engine.ts';
import { computeFit, computeStandardWeights } from './fit.ts';

describe('fit', () => {
  it('equals w·mu / sqrt(w’Rw) with the variance w’Sw / w’Rw, as the reference computes it from full matrices', () => {
    fc.assert(
      fc.property(arbitraryPriorities, arbitraryVector, (priorities, vector) => {
        const fit = computeFit(computeStandardWeights(priorities), vector.mean, vector.variance);
        const expected = computeReferenceFit({ member_id: 'a', ...vector }, priorities);
        expect(fit.mean).toBeCloseTo(expected.mean, 10);
        expect(fit.sd).toBeCloseTo(expected.sd, 10);
      }),
    );
  });

  it('of a job with one trait equals that trait', () => {
    const mean = traitCodes.map((_, slot) => slot / 10);
    const variance = traitCodes.map(() => 0.09);
    const fit = computeFit(computeStandardWeights({ persistence: 0.2 }), mean, variance);
    expect(fit.mean).toBeCloseTo(1.5, 12);
    expect(fit.sd).toBeCloseTo(0.3, 12);
  });

  it('does not depend on the scale of the priorities, however small', () => {
    const large = computeStandardWeights({ persistence: 1, sincerity: 0.5 });
    const tiny = computeStandardWeights({ persistence: 1e-200, sincerity: 0.5e-200 });
    for (const [slot, weight] of tiny.entries()) expect(weight).toBeCloseTo(large[slot]!, 12);
  });

  it('cannot be computed for a job without a priority above zero', () => {
    expect(() => computeStandardWeights({})).toThrow(RangeError);
    expect(() => computeStandardWeights({ persistence: 0 })).toThrow(RangeError);
  });
});
