/** A square symmetric matrix by rows; functions read its lower triangle. */
export type SymmetricMatrix = Float64Array;

/** Lays the rows of a matrix out one after the other. */
export function flattenRows(rows: readonly (readonly number[])[]): SymmetricMatrix {
  return Float64Array.from(rows.flat());
}

/**
 * Factorises a positive definite matrix A = L L' (Cholesky).
 *
 * @returns L by rows, with zeros above the diagonal.
 * @throws RangeError if A is not positive definite.
 */
export function cholesky(matrix: SymmetricMatrix): Float64Array {
  const size = measureSize(matrix);
  const factor = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column]!;
      for (let k = 0; k < column; k += 1) sum -= factor[row * size + k]! * factor[column * size + k]!;
      if (row !== column) factor[row * size + column] = sum / factor[column * size + column]!;
      else if (sum > 0) factor[row * size + row] = Math.sqrt(sum);
      else throw new RangeError('The matrix is not positive definite.');
    }
  }
  return factor;
}

/** Solves A x = b, where `factor` is the Cholesky factor of A. */
export function solveFactorised(factor: Float64Array, right: ArrayLike<number>): Float64Array {
  const size = measureSize(factor);
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1) solution[row]! -= factor[row * size + k]! * solution[k]!;
    solution[row]! /= factor[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1) solution[row]! -= factor[k * size + row]! * solution[k]!;
    solution[row]! /= factor[row * size + row]!;
  }
  return solution;
}

/** Solves A x = b for a positive definite A. @throws RangeError if A is not positive definite. */
export function solveSystem(matrix: SymmetricMatrix, right: ArrayLike<number>): Float64Array {
  return solveFactorised(cholesky(matrix), right);
}

/** Inverts a positive definite matrix. @throws RangeError if it is not positive definite. */
export function invertMatrix(matrix: SymmetricMatrix): SymmetricMatrix {
  const size = measureSize(matrix);
  const factor = cholesky(matrix);
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column += 1) {
    const unit = new Float64Array(size);
    unit[column] = 1;
    const solved = solveFactorised(factor, unit);
    for (let row = 0; row < size; row += 1) inverse[row * size + column] = solved[row]!;
  }
  return inverse;
}

/** Multiplies a symmetric matrix with a vector. */
export function multiplySymmetric(matrix: SymmetricMatrix, vector: Float64Array): Float64Array {
  const size = vector.length;
  const product = new Float64Array(size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      product[row]! += matrix[Math.max(row, column) * size + Math.min(row, column)]! * vector[column]!;
  return product;
}

/** Multiplies a Cholesky factor with a vector. Of standard normal numbers, it makes numbers with the covariances L L'. */
export function multiplyFactor(factor: Float64Array, vector: ArrayLike<number>): number[] {
  const size = vector.length;
  return Array.from({ length: size }, (_, row) => {
    let sum = 0;
    for (let column = 0; column <= row; column += 1) sum += factor[row * size + column]! * vector[column]!;
    return sum;
  });
}

function measureSize(matrix: Float64Array): number {
  return Math.sqrt(matrix.length);
}
