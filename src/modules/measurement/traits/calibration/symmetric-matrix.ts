/** A symmetric matrix, as a list of rows. */
export type Matrix = readonly (readonly number[])[];

/**
 * Computes the lower triangular L with L L' = A (Cholesky).
 *
 * @throws RangeError if A is not positive definite.
 */
export function cholesky(matrix: Matrix): readonly (readonly number[])[] {
  const root = matrix.map((row) => row.map(() => 0));
  for (const [row, entries] of matrix.entries())
    for (let column = 0; column <= row; column++) {
      let rest = entries[column]!;
      for (let k = 0; k < column; k++) rest -= root[row]![k]! * root[column]![k]!;
      if (row === column && !(rest > 0)) throw new RangeError('the matrix is not positive definite');
      root[row]![column] = row === column ? Math.sqrt(rest) : rest / root[column]![column]!;
    }
  return root;
}

/** Solves A x = b for a positive definite A. */
export function solveSystem(matrix: Matrix, right: readonly number[]): number[] {
  return substitute(cholesky(matrix), right);
}

/** Computes the inverse of a positive definite matrix. */
export function invertMatrix(matrix: Matrix): number[][] {
  const root = cholesky(matrix);
  return matrix.map((_, column) =>
    substitute(
      root,
      matrix.map((_row, row) => (row === column ? 1 : 0)),
    ),
  );
}

/** Solves L L' x = b by substitution, forwards and backwards. */
function substitute(root: Matrix, right: readonly number[]): number[] {
  const x = [...right];
  for (let row = 0; row < x.length; row++) {
    for (let k = 0; k < row; k++) x[row]! -= root[row]![k]! * x[k]!;
    x[row]! /= root[row]![row]!;
  }
  for (let row = x.length - 1; row >= 0; row--) {
    for (let k = row + 1; k < x.length; k++) x[row]! -= root[k]![row]! * x[k]!;
    x[row]! /= root[row]![row]!;
  }
  return x;
}
