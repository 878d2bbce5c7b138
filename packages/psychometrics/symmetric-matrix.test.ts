import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cholesky,
  flattenRows,
  invertMatrix,
  multiplyFactor,
  multiplySymmetric,
  solveSystem,
} from './symmetric-matrix.ts';

type Matrix = readonly (readonly number[])[];

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
    fc.property(positiveDefinite, (rows) => {
      const matrix = flattenRows(rows);
      const size = rows.length;
      const right = rows.map((_, index) => index - 1.5);
      for (const [row, value] of multiplySymmetric(matrix, solveSystem(matrix, right)).entries())
        expect(value).toBeCloseTo(right[row]!, 8);
      const inverse = invertMatrix(matrix);
      for (let column = 0; column < size; column++) {
        const solved = Float64Array.from(rows, (_, row) => inverse[row * size + column]!);
        for (const [row, value] of multiplySymmetric(matrix, solved).entries())
          expect(value).toBeCloseTo(row === column ? 1 : 0, 8);
      }
    }),
    { seed: 31, numRuns: 50 },
  );
});

test('factorises a matrix: L L’ is the matrix again', () => {
  fc.assert(
    fc.property(positiveDefinite, (rows) => {
      const factor = cholesky(flattenRows(rows));
      const size = rows.length;
      for (const [column, expected] of rows.entries()) {
        const transposed = rows.map((_, row) => factor[column * size + row]!);
        for (const [row, value] of multiplyFactor(factor, transposed).entries())
          expect(value).toBeCloseTo(expected[row]!, 8);
      }
    }),
    { seed: 32, numRuns: 50 },
  );
});

test('rejects a matrix that is not positive definite', () => {
  expect(() => cholesky(Float64Array.of(1, 2, 2, 1))).toThrow(RangeError);
  expect(() => solveSystem(Float64Array.of(Number.NaN), [1])).toThrow(RangeError);
});
