import { expect, test } from 'vitest';
import { computeStudentQuantile } from './student-quantile.ts';

test.each([
  [5, 2.015],
  [9, 1.8331],
  [10, 1.8125],
  [19, 1.7291],
  [29, 1.6991],
  [59, 1.6711],
  [120, 1.6577],
  [Infinity, 1.6449],
])('with %d degrees of freedom, the quantile is that of published tables', (freedom, expected) => {
  expect(Math.abs(computeStudentQuantile(freedom) - expected)).toBeLessThan(1e-4);
});

test.each([
  [1, 6.3138],
  [1.99, 2.9297],
  [2, 2.92],
  [3, 2.3534],
])('with %d degrees of freedom, the quantile is not below that of published tables', (freedom, expected) => {
  expect(computeStudentQuantile(freedom)).toBeGreaterThan(expected * 0.997);
});

test('falls with the degrees of freedom, and is infinite below two', () => {
  const quantiles = [1, 1.5, 2, 3, 4.5, 9, 9.1, 100].map(computeStudentQuantile);
  expect(quantiles).toEqual(quantiles.toSorted((one, other) => other - one));
  for (const freedom of [1.99, 1, 0.5, 0]) expect(computeStudentQuantile(freedom)).toBe(Infinity);
  expect(computeStudentQuantile(-1)).toBe(Infinity);
});
