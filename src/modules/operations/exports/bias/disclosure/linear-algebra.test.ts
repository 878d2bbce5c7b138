import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columns_max, listPlaces, selectCommon } from './column-sets.ts';
import { closeColumns, type Tally } from './count-bases.ts';
import { chooseBasis } from './linear-algebra.ts';

const width = 2 * columns_max;

/** The rank by elimination with whole numbers of any size, which never rounds. */
function computeExactRank(kinds: readonly number[]): number {
  let rows = kinds.map((kind) => {
    const places = new Set(listPlaces(kind));
    return Array.from({ length: width }, (_, place) => BigInt(places.has(place)));
  });
  let rank = 0;
  for (let place = 0; place < width; place++) {
    const pivot = rows.find((row) => row[place] !== 0n);
    if (!pivot) continue;
    rank++;
    rows = rows
      .filter((row) => row !== pivot)
      .map((row) => row.map((value, column) => value * pivot[place]! - pivot[column]! * row[place]!));
  }
  return rank;
}

/** Adds each column without which the rank is the same. */
function closeOneByOne(kinds: readonly number[], columns: number): number {
  const rank = (some: number) => computeExactRank(kinds.map((kind) => selectCommon(kind, some)));
  const before = rank(columns);
  const bits = Array.from({ length: width }, (_, place) => 2 ** place).filter(
    (bit) => selectCommon(columns, bit) === 0,
  );
  return bits.filter((bit) => rank(columns + bit) === before).reduce((sum, bit) => sum + bit, columns);
}

/** Kinds of few columns, of both reports, many of which depend on each other. */
const kind = fc
  .constantFrom(0, 1, 2, 3, 9)
  .chain((later) =>
    fc
      .subarray([0, 1, 2, 5])
      .map((places) => places.reduce((sum, place) => sum + 2 ** (columns_max + place), later)),
  );

/** Any sets of columns. */
const anyKind = fc.maxSafeNat().map((number) => number % 2 ** width);

test('as many kinds are chosen as the exact rank, each independent of those before it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(kind, anyKind), { maxLength: 20 }), (kinds) => {
      const basis = chooseBasis(kinds);
      expect(basis).toHaveLength(computeExactRank(kinds));
      expect(computeExactRank(basis)).toBe(basis.length);
      expect(chooseBasis(kinds, 2)).toEqual(basis.slice(0, 2));
    }),
  );
});

test('the columns that follow from others are those that do not add to the exact rank', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(kind, anyKind), { maxLength: 8 }), anyKind, (kinds, some) => {
      const columns = selectCommon(some, 2 ** width - 1) + (some < 2 ** columns_max ? 2 ** columns_max : 0);
      const tally: Tally = new Map(kinds.map((each) => [each, 1]));
      expect(closeColumns(tally, columns)).toBe(closeOneByOne(kinds, columns));
    }),
    { numRuns: 60 },
  );
});
