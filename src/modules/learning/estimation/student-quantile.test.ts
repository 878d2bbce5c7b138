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

test('falls with the degrees of freedom, and is infinite without one', () => {
  const quantiles = [1, 1.5, 2, 3, 4.5, 9, 9.1, 100].map(computeStudentQuantile);
  expect(quantiles).toEqual(quantiles.toSorted((one, other) => other - one));
  expect(computeStudentQuantile(0)).toBe(Infinity);
  expect(computeStudentQuantile(-1)).toBe(Infinity);
});
