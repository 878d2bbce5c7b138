import { columns_max, listPlaces, mergeColumns } from './column-sets.ts';

/** Far below what the elimination of vectors of zeros and ones can leave. */
const rounding = 1e-9;

/** Rows of a matrix, which has a column for each column of two reports. */
export type Rows = readonly Float64Array[];

/**
 * Chooses the first independent kinds, until there are `rank`. A kind is a sum of those that are chosen, with factors, if it is at right angles to all normals that are left.
 */
export function chooseBasis(kinds: readonly number[], rank = Infinity): readonly number[] {
  return splitSpace(kinds, rank).basis;
}

/** Finds independent vectors at right angles to all kinds: the relations of the columns in which there are kinds. */
export function findNormals(kinds: readonly number[]): Rows {
  return splitSpace(kinds).normals;
}

/** Brings rows into the reduced row echelon form. */
export function solveRows(rows: Rows): Rows {
  let [left, reduced]: [Rows, Rows] = [rows, []];
  for (let place = 0; place < width && left.length > 0; place++) {
    const pivot = findLargest(left.map((row) => row[place]!));
    const scale = left[pivot]![place]!;
    if (Math.abs(scale) <= rounding) continue;
    const row = left[pivot]!.map((value) => value / scale);
    const clear = (other: Float64Array) => subtractRow(other, row, other[place]!);
    left = left.toSpliced(pivot, 1).map(clear);
    reduced = [...reduced.map(clear), row];
  }
  return reduced;
}

const width = 2 * columns_max;

type Space = { readonly basis: readonly number[]; readonly normals: Rows };

/** Each kind that is not at right angles to all normals joins the basis, and the normals are turned until it is. */
function splitSpace(kinds: readonly number[], rank = Infinity): Space {
  const basis: number[] = [];
  let normals = listUnitVectors(listPlaces(mergeColumns(kinds)));
  for (const kind of kinds) {
    if (basis.length === rank || normals.length === 0) break;
    const places = listPlaces(kind);
    const products = normals.map((normal) => addUp(normal, places));
    const pivot = findLargest(products);
    if (Math.abs(products[pivot]!) <= rounding) continue;
    basis.push(kind);
    const removed = normals[pivot]!;
    normals = normals
      .map((normal, place) => subtractRow(normal, removed, products[place]! / products[pivot]!))
      .toSpliced(pivot, 1);
  }
  return { basis, normals };
}

function listUnitVectors(places: readonly number[]): Rows {
  return places.map((place) => new Float64Array(width).fill(1, place, place + 1));
}

function addUp(row: Float64Array, places: readonly number[]): number {
  let sum = 0;
  for (const place of places) sum += row[place]!;
  return sum;
}

function findLargest(values: readonly number[]): number {
  let largest = 0;
  for (let place = 1; place < values.length; place++)
    if (Math.abs(values[place]!) > Math.abs(values[largest]!)) largest = place;
  return largest;
}

function subtractRow(row: Float64Array, other: Float64Array, factor: number): Float64Array {
  if (factor === 0) return row;
  const rest = new Float64Array(width);
  for (let place = 0; place < width; place++) {
    const value = row[place]! - factor * other[place]!;
    if (Math.abs(value) > rounding) rest[place] = value;
  }
  return rest;
}
