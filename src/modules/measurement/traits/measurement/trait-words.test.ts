import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalCdf } from '@tessera/psychometrics';
import { computeWordGain, findTraitWord } from './trait-words.ts';

test.each([
  [0.19, 'much_less'],
  [0.2, 'less'],
  [0.4, 'average'],
  [0.6, 'average'],
  [0.61, 'more'],
  [0.81, 'much_more'],
])('a score of %d is read as %s', (score, word) => {
  expect(findTraitWord(score)).toBe(word);
});

test('a trait at the edge of a word gains much from further answers, one far from every edge nothing', () => {
  for (const percentile of [0.2, 0.4, 0.6, 0.8]) {
    const edge = findQuantile(percentile);
    expect(computeWordGain({ mean: edge, variance: 0.16 }, 0.08)).toBeGreaterThan(0.1);
  }
  expect(computeWordGain({ mean: 2.5, variance: 0.16 }, 0.08)).toBeLessThan(0.001);
});

const positions = fc.double({ min: -3, max: 3, noNaN: true });
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
