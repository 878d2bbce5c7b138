import { smallest_cell } from '../rules.ts';
import { findHost, countRow, type GroupRow } from './join-groups.ts';
import { countBetween, countIn, everybody } from './people.ts';

export type RowNumber = {
  readonly row: GroupRow;
  /** The people in the column. */
  readonly exact: number;
  /** What is computed with: the people, if their number is shown. */
  readonly used: number;
  readonly is_shown: boolean;
};

/**
 * Decides which numbers of a column are shown. A number is shown if it is about at least ten people, and so is its difference to every number of its row that is known: nobody,
 * everybody in the row, and the columns before it. Otherwise a number that is exactly ten away is used instead, which is the same whichever of the small numbers
 * is true. The organisation knows the sum of all rows, so the largest other row is not shown either: it uses what is left of the sum.
 */
export function showNumbers(
  rows: readonly GroupRow[],
  column: number,
  known: readonly number[],
): readonly RowNumber[] {
  const isSameAs = (other: number) => rows.every(({ people }) => countBetween(people, column, other) === 0);
  // The organisation knows whether anybody is in the column, and whether everybody is.
  const isTrivial = isSameAs(0) || isSameAs(everybody);
  const others = [0, everybody, ...known.filter((other) => !isSameAs(other))];
  const numbers = rows.map((row): RowNumber => {
    const exact = countIn(row.people, column);
    const near = others.find((other) => countBetween(row.people, column, other) < smallest_cell);
    return isTrivial || near === undefined
      ? { row, exact, used: exact, is_shown: true }
      : { row, exact, used: moveAway(exact, countIn(row.people, near), countRow(row)), is_shown: false };
  });
  return hideOneMore(numbers);
}

/** Moves a number ten away from one that is near. At least ten people of the row are in the column then, and ten are not. */
function moveAway(exact: number, near: number, row: number): number {
  const isBelow = exact < near || near === row;
  return limitNumber(near + (isBelow ? -smallest_cell : smallest_cell), row);
}

function limitNumber(number: number, row: number): number {
  return Math.max(smallest_cell, Math.min(row - smallest_cell, number));
}

function hideOneMore(numbers: readonly RowNumber[]): readonly RowNumber[] {
  const shown = numbers.filter(({ is_shown }) => is_shown);
  const host = shown.length < numbers.length ? findHost(shown.map(({ row }) => row)) : undefined;
  const sum = (read: (number: RowNumber) => number) => numbers.reduce((total, each) => total + read(each), 0);
  const left = sum(({ exact }) => exact) - sum(({ row, used }) => (row === host ? 0 : used));
  return numbers.map((number) =>
    number.row === host ? { ...number, used: limitNumber(left, countRow(host)), is_shown: false } : number,
  );
}
