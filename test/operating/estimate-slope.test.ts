import { expect, test } from 'vitest';
import { estimateSlope } from './estimate-slope.ts';

test('a straight line has its slope without an error, and a level one with noise has an error above its slope', () => {
  const straight = [0, 1, 2, 5].map((x) => [x, 3 * x + 7] as const);
  expect(estimateSlope(straight).slope).toBeCloseTo(3, 10);
  expect(estimateSlope(straight).error).toBeCloseTo(0, 6);
  // By hand: the squares of x around its mean are 5, those of the residuals 0.7, on two degrees of freedom.
  const noisy = [
    [0, 1],
    [1, 0],
    [2, 1],
    [3, 1],
  ] as const;
  const { slope, error } = estimateSlope(noisy);
  expect(slope).toBeCloseTo(0.1, 10);
  expect(error).toBeCloseTo(Math.sqrt(0.7 / 10), 10);
  expect(estimateSlope([[2, 5]])).toEqual({ slope: 0, error: 0 });
});
