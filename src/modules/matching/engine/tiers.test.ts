import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeReferenceProbability, computeReferenceTier } from '#test/modules/reference-engine.ts';
import { computeLowerBound, computeTier, tierCertainty, toConfidenceLevel } from './tiers.ts';

const order = ['developing', 'moderate', 'strong', 'exceptional'];
const mean = fc.double({ min: -4, max: 4, noNaN: true });
const sd = fc.double({ min: 0, max: 2, noNaN: true });
const rankTier = (mean: number, sd: number): number => order.indexOf(computeTier(mean, sd));

function isFarFromCuts(mean: number, sd: number): boolean {
  return [0.3, 1, 1.5].every((cut) => Math.abs(computeLowerBound(mean, sd) - cut) > 1e-9);
}

describe('tier', () => {
  it('follows the cuts if the fit is certain', () => {
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

  it('never becomes lower with a higher mean', () => {
    fc.assert(
      fc.property(mean, mean, sd, (a, b, sd) => {
        expect(rankTier(Math.max(a, b), sd)).toBeGreaterThanOrEqual(rankTier(Math.min(a, b), sd));
      }),
    );
  });

  it('never becomes higher with more uncertainty', () => {
    fc.assert(
      fc.property(mean, sd, sd, (mean, a, b) => {
        expect(rankTier(mean, Math.max(a, b))).toBeLessThanOrEqual(rankTier(mean, Math.min(a, b)));
      }),
    );
  });

  it('is the highest whose cut is reached with 80 % probability, as the reference computes by integration', () => {
    fc.assert(
      fc.property(
        mean,
        sd.filter((sd) => sd > 0.01),
        (mean, sd) => {
          fc.pre(isFarFromCuts(mean, sd));
          expect(computeTier(mean, sd)).toBe(computeReferenceTier(mean, sd));
        },
      ),
    );
  });

  it('is never lower for a member with a higher lower bound', () => {
    fc.assert(
      fc.property(mean, sd, mean, sd, (meanA, sdA, meanB, sdB) => {
        fc.pre(computeLowerBound(meanA, sdA) >= computeLowerBound(meanB, sdB));
        expect(rankTier(meanA, sdA)).toBeGreaterThanOrEqual(rankTier(meanB, sdB));
      }),
    );
  });

  it('is lower for an uncertain fit than for a certain fit with the same mean', () => {
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
