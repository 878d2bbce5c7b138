import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { computeReferenceProbability, computeReferenceTier } from '#test/modules/reference-engine.ts';
import {
  computeLeastMean,
  computeLowerBound,
  computeRetestProbability,
  computeTier,
  toConfidenceLevel,
} from './tiers.ts';

const order = ['developing', 'moderate', 'strong', 'exceptional'];
const mean = fc.double({ min: -4, max: 4, noNaN: true });
const sd = fc.double({ min: 0, max: 2, noNaN: true });
/** Without a shared error, with one that is a part of the whole error, and with one that is larger. */
const shared = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }));
const rankTier = (mean: number, sd: number, shared_sd: number): number =>
  order.indexOf(computeTier(mean, sd, shared_sd));

function isFarFromCuts(mean: number, sd: number, shared_sd: number): boolean {
  return [0.3, 1, 1.5].every((cut) => Math.abs(computeLowerBound(mean, sd, shared_sd) - cut) > 1e-9);
}

describe('tier', () => {
  it('follows the cuts if the fit is certain', () => {
    expect([1.5, 1.49, 1, 0.99, 0.3, 0.29, -3].map((mean) => computeTier(mean, 0, 0))).toEqual([
      'exceptional',
      'strong',
      'strong',
      'moderate',
      'moderate',
      'developing',
      'developing',
    ]);
  });

  it('begins at the least mean that is computed for it', () => {
    fc.assert(
      fc.property(
        sd,
        shared,
        fc.constantFrom('moderate', 'strong', 'exceptional'),
        (sd, shared_sd, quality) => {
          const least = computeLeastMean(quality, sd, shared_sd);
          expect(rankTier(least + 1e-9, sd, shared_sd)).toBe(order.indexOf(quality));
          expect(rankTier(least - 1e-9, sd, shared_sd)).toBe(order.indexOf(quality) - 1);
        },
      ),
    );
  });

  it('never becomes lower with a higher mean', () => {
    fc.assert(
      fc.property(mean, mean, sd, shared, (a, b, sd, shared_sd) => {
        expect(rankTier(Math.max(a, b), sd, shared_sd)).toBeGreaterThanOrEqual(
          rankTier(Math.min(a, b), sd, shared_sd),
        );
      }),
    );
  });

  it('never becomes higher with more uncertainty', () => {
    fc.assert(
      fc.property(mean, sd, sd, shared, (mean, a, b, shared_sd) => {
        expect(rankTier(mean, Math.max(a, b), shared_sd)).toBeLessThanOrEqual(
          rankTier(mean, Math.min(a, b), shared_sd),
        );
      }),
    );
  });

  it('is the highest whose cut is reached with 80 % probability, as the reference computes by integration', () => {
    fc.assert(
      fc.property(
        mean,
        sd.filter((sd) => sd > 0.01),
        shared,
        (mean, sd, shared_sd) => {
          fc.pre(isFarFromCuts(mean, sd, shared_sd));
          expect(computeTier(mean, sd, shared_sd)).toBe(computeReferenceTier({ mean, sd, shared_sd }));
        },
      ),
    );
  });

  it('is never lower for a member with a higher lower bound', () => {
    fc.assert(
      fc.property(mean, sd, mean, sd, shared, (meanA, sdA, meanB, sdB, shared_sd) => {
        const [a, b] = [computeLowerBound(meanA, sdA, shared_sd), computeLowerBound(meanB, sdB, shared_sd)];
        fc.pre(a >= b);
        expect(rankTier(meanA, sdA, shared_sd)).toBeGreaterThanOrEqual(rankTier(meanB, sdB, shared_sd));
      }),
    );
  });

  it('is lower for an uncertain fit than for a certain fit with the same mean', () => {
    expect(computeTier(1.2, 0.5, 0)).toBe('moderate');
    expect(computeTier(1.2, 0.2, 0)).toBe('strong');
  });

  it('is lower if a part of the same uncertainty is common to all members, because it does not average out over a list', () => {
    expect(computeTier(1.45, 0.5, 0)).toBe('strong');
    expect(computeTier(1.45, 0.5, 0.35)).toBe('moderate');
  });
});

describe('lower bound', () => {
  it('is reached with 80 % probability', () => {
    fc.assert(
      fc.property(
        mean,
        sd.filter((sd) => sd > 0.01),
        (mean, sd) => {
          expect(computeReferenceProbability(mean, sd, computeLowerBound(mean, sd, 0))).toBeCloseTo(0.8, 10);
        },
      ),
    );
  });
});

describe('lower bound with a shared error', () => {
  it('is reached by 80 % of the members of a list if the shared error is at the 80 % quantile, and by more of them below it', () => {
    const [sd, shared_sd] = [0.5, 0.3];
    const own = Math.sqrt(sd ** 2 - shared_sd ** 2);
    const bound = computeLowerBound(1, sd, shared_sd);
    const reach = (error: number) => computeReferenceProbability(1 - error, own, bound);
    expect(reach(0.8416212335729143 * shared_sd)).toBeCloseTo(0.8, 10);
    expect(reach(0)).toBeGreaterThan(0.88);
  });
});

describe('confidence', () => {
  it('is never high while the measurement is provisional', () => {
    expect([1, 0.8, 0.6, 0].map((probability) => toConfidenceLevel(probability, true))).toEqual([
      'medium',
      'medium',
      'medium',
      'low',
    ]);
  });

  it('is high from a probability of 0.8 and medium from 0.6', () => {
    expect([1, 0.8, 0.79, 0.6, 0.59, 0].map((probability) => toConfidenceLevel(probability))).toEqual([
      'high',
      'high',
      'medium',
      'medium',
      'low',
      'low',
    ]);
  });

  it('is a probability, and the probabilities of all tiers of a fit would sum to 1', () => {
    fc.assert(
      fc.property(mean, sd, (mean, sd) => {
        const probability = computeRetestProbability(mean, sd, 0);
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }),
    );
    expect(computeRetestProbability(1.2, 0, 0)).toBe(1);
  });

  it('is calibrated: among simulated members whose tier has a probability, that share has the same tier after a retest', () => {
    const random = createSeededRandom(41);
    const bins = Array.from({ length: 10 }, () => ({ members: 0, predicted: 0, same: 0 }));
    for (let member = 0; member < 60_000; member++) {
      const sd = 0.2 + 0.35 * random();
      const fit = drawStandardNormal(random);
      // A measurement with the error variance sd² / (1 - sd²) has a posterior with the standard deviation sd.
      const measure = () =>
        (1 - sd * sd) * (fit + (sd / Math.sqrt(1 - sd * sd)) * drawStandardNormal(random));
      const [first, second] = [measure(), measure()];
      const predicted = computeRetestProbability(first, sd, 0);
      const bin = bins[Math.min(9, Math.floor(10 * predicted))]!;
      bin.members += 1;
      bin.predicted += predicted;
      bin.same += Number(computeTier(first, sd, 0) === computeTier(second, sd, 0));
    }
    const filled = bins.filter(({ members }) => members > 500);
    expect(filled.length).toBeGreaterThan(5);
    for (const { members, predicted, same } of filled)
      expect(Math.abs(predicted - same) / members).toBeLessThan(0.04);
  });
});
