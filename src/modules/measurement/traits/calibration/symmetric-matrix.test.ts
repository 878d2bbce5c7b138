import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cholesky, invertMatrix, solveSystem, type Matrix } from './symmetric-matrix.ts';

/** M M' + I is positive definite for every M. */
const positiveDefinite = fc
  .integer({ min: 1, max: 6 })
  .chain((size) =>
    fc.array(fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: size, maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  )
  .map((rows): Matrix => {
    return rows.map((one, row) =>
      rows.map((other, column) =>
        one.reduce((sum, value, k) => sum + value * other[k]!, row === column ? 1 : 0),
      ),
    );
  });

test('solves a system of equations and inverts a matrix', () => {
  fc.assert(
    fc.property(positiveDefinite, (matrix) => {
      const right = matrix.map((_, index) => index - 1.5);
      const x = solveSystem(matrix, right);
      for (const [row, value] of multiply(matrix, [x])[0]!.entries())
        expect(value).toBeCloseTo(right[row]!, 8);
      for (const [row, entries] of multiply(matrix, invertMatrix(matrix)).entries())
        for (const [column, value] of entries.entries()) expect(value).toBeCloseTo(row === column ? 1 : 0, 8);
    }),
    { seed: 31, numRuns: 50 },
  );
});

test('rejects a matrix that is not positive definite', () => {
  expect(() =>
    cholesky([
      [1, 2],
      [2, 1],
    ]),
  ).toThrow(RangeError);
  expect(() => solveSystem([[Number.NaN]], [1])).toThrow(RangeError);
});

/** Computes A x for each x of the list. The matrix is symmetric. */
function multiply(matrix: Matrix, vectors: Matrix): number[][] {
  return vectors.map((x) => matrix.map((row) => row.reduce((sum, value, k) => sum + value * x[k]!, 0)));
}
