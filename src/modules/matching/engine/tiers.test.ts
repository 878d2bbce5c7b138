import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeReferenceProbability, computeReferenceTier } from '#test/modules/reference-engine.ts';
import { toConfidenceLevel, computeLowerBound, tierCertainty, computeTier } from './tiers.ts';

const order = ['developing', 'moderate', 'strong', 'exceptional'];
const mean = fc.double({ min: -4, max: 4, noNaN: true });
const sd = fc.double({ min: 0, max: 2, noNaN: true });
const rank = (mean: number, sd: number): number => order.indexOf(computeTier(mean, sd));

function farFromCut(mean: number, sd: number): boolean {
  return [0.3, 1, 1.5].every((cut) => Math.abs(computeLowerBound(mean, sd) - cut) > 1e-9);
}

describe('tier', () => {
  it('is by the cuts where the fit is certain', () => {
    expect([1.5, 1.49, 1, 0.99, 0.3, 0.29, -3].map((mean) => computeTier(mean, 0))).toEqual([
      'exceptional',
      'strong',
      'strong',
      'moderate',
      'moderate',
      'developing',
      'developing',
    ]);
  });

  it('never falls when the mean rises', () => {
    fc.assert(
      fc.property(mean, mean, sd, (a, b, sd) => {
        expect(rank(Math.max(a, b), sd)).toBeGreaterThanOrEqual(rank(Math.min(a, b), sd));
      }),
    );
  });

  it('never rises when the uncertainty rises', () => {
    fc.assert(
      fc.property(mean, sd, sd, (mean, a, b) => {
        expect(rank(mean, Math.max(a, b))).toBeLessThanOrEqual(rank(mean, Math.min(a, b)));
      }),
    );
  });

  it('is the highest whose cut is reached with 80 % probability, as the oracle finds by areas', () => {
    fc.assert(
      fc.property(
        mean,
        sd.filter((sd) => sd > 0.01),
        (mean, sd) => {
          fc.pre(farFromCut(mean, sd));
          expect(computeTier(mean, sd)).toBe(computeReferenceTier(mean, sd));
        },
      ),
    );
  });

  it('never puts a member of a lower tier above one of a higher tier by the lower bound', () => {
    fc.assert(
      fc.property(mean, sd, mean, sd, (meanA, sdA, meanB, sdB) => {
        fc.pre(computeLowerBound(meanA, sdA) >= computeLowerBound(meanB, sdB));
        expect(rank(meanA, sdA)).toBeGreaterThanOrEqual(rank(meanB, sdB));
      }),
    );
  });

  it('gives an uncertain fit above the cut no label that it has not earned', () => {
    expect(computeTier(1.2, 0.5)).toBe('moderate');
    expect(computeTier(1.2, 0.2)).toBe('strong');
  });
});

describe('lower bound', () => {
  it('is reached with 80 % probability', () => {
    fc.assert(
      fc.property(
        mean,
        sd.filter((sd) => sd > 0.01),
        (mean, sd) => {
          expect(computeReferenceProbability(mean, sd, computeLowerBound(mean, sd))).toBeCloseTo(
            tierCertainty,
            10,
          );
        },
      ),
    );
  });
});

describe('confidence', () => {
  it('is high to 0.35, medium to 0.5 and low above', () => {
    expect([0, 0.35, 0.36, 0.5, 0.51, 1].map(toConfidenceLevel)).toEqual([
      'high',
      'high',
      'medium',
      'medium',
      'low',
      'low',
    ]);
  });
});
