import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalCdf } from '@tessera/psychometrics';
import { claimPosition, computeWordGain, claimWay } from './trait-words.ts';

const positions = fc.double({ min: -3, max: 3, noNaN: true });

test.each([
  [0.5001, 0.7, 'more', 'clear'],
  [0.8, 0.99, 'much_more', 'clear'],
  [0.3, 0.4999, 'less', 'clear'],
  [0.01, 0.2, 'much_less', 'clear'],
  [0.2, 0.8, 'average', 'clear'],
  [0.45, 0.97, 'more', 'likely'],
  [0.02, 0.95, null, 'open'],
  [0.19, 0.75, null, 'open'],
])('bounds of %d and %d are read as %s, which is %s', (lower, upper, word, certainty) => {
  expect(claimPosition(locate(lower, upper))).toEqual({ word, certainty });
});

test('without answers, nothing is claimed', () => {
  expect(claimPosition({ score: 0.5, confidence: 0, lower_bound: 0.025, upper_bound: 0.975 })).toEqual({
    word: null,
    certainty: 'open',
  });
});

test('no claim is of a side whose bounds hold the middle, unless it says that the other side is possible', () => {
  const sds = fc.double({ min: 0.05, max: 1.5, noNaN: true });
  fc.assert(
    fc.property(positions, sds, (mean, sd) => {
      const [lower_bound, score, upper_bound] = [-1.96, 0, 1.96].map((each) => normalCdf(mean + each * sd));
      const confidence = Math.max(0, 1 - sd * sd);
      const { word, certainty } = claimPosition({
        score: score!,
        confidence,
        lower_bound: lower_bound!,
        upper_bound: upper_bound!,
      });
      const holdsMiddle = lower_bound! <= 0.5 && upper_bound! >= 0.5;
      const isLikely = Math.abs(mean) > 1.28 * Math.min(1, sd);
      expect(certainty === 'clear' && word !== 'average' && holdsMiddle).toBe(false);
      expect(certainty === 'likely' && !isLikely).toBe(false);
      expect(word === null).toBe(certainty === 'open');
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  [0.96, 'clear'],
  [0.8, 'likely'],
  [0.42, 'open'],
])('a way of acting that is preferred with a probability of %d is %s', (probability, certainty) => {
  expect(claimWay(probability)).toBe(certainty);
});

/** A normal position with these bounds. */
function locate(lower_bound: number, upper_bound: number) {
  const [low, high] = [findQuantile(lower_bound), findQuantile(upper_bound)];
  const sd = (high - low) / 3.92;
  return {
    score: normalCdf((low + high) / 2),
    confidence: Math.max(0, 1 - sd * sd),
    lower_bound,
    upper_bound,
  };
}

test('a trait at the edge of a word gains much from further answers, one far from every edge nothing', () => {
  for (const percentile of [0.2, 0.4, 0.6, 0.8]) {
    const edge = findQuantile(percentile);
    expect(computeWordGain({ mean: edge, variance: 0.16 }, 0.08)).toBeGreaterThan(0.1);
  }
  expect(computeWordGain({ mean: 2.5, variance: 0.16 }, 0.08)).toBeLessThan(0.001);
});

const variances = fc.double({ min: 0.05, max: 1, noNaN: true });
const shares = fc.double({ min: 0.1, max: 1, noNaN: true });

test('further answers never make a word less probable to be right, by more than the error of the sum', () => {
  fc.assert(
    fc.property(positions, variances, shares, (mean, variance, share) => {
      expect(computeWordGain({ mean, variance }, share * variance)).toBeGreaterThan(-0.03);
    }),
  );
});

test('no further answers gain nothing', () => {
  fc.assert(
    fc.property(positions, variances, (mean, variance) => {
      expect(computeWordGain({ mean, variance }, variance)).toBeCloseTo(0);
    }),
  );
});

/** Finds the position of a percentile by halving an interval. */
function findQuantile(percentile: number): number {
  let [low, high] = [-4, 4];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < percentile) low = middle;
    else high = middle;
  }
  return high;
}
