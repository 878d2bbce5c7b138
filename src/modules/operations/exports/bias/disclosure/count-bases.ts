import { columns_max, earlier_factor, listPlaces, selectCommon, mergeColumns } from './column-sets.ts';
import { chooseBasis, findNormals, solveRows, type Rows } from './linear-algebra.ts';

/** How many people there are of each kind. A kind is a set of columns, as bits: those in which a person of the kind is counted. */
export type Tally = ReadonlyMap<number, number>;

/** Adds up tallies. */
export function sumTallies(tallies: Iterable<Tally>): Tally {
  const sum = new Map<number, number>();
  for (const tally of tallies)
    for (const [kind, people] of tally) sum.set(kind, (sum.get(kind) ?? 0) + people);
  return sum;
}

/** Subtracts a tally from one that it is a part of. */
export function subtractTally(whole: Tally, part: Tally): Tally {
  return new Map([...whole].map(([kind, people]) => [kind, people - (part.get(kind) ?? 0)]));
}

/** Counts the people of one column of the new report, given as a bit. */
export function countColumn(tally: Tally, column: number): number {
  let count = 0;
  for (const [kind, people] of tally) if (kind & column) count += people;
  return count;
}

/**
 * Says whether every number that could be computed from the numbers of `columns` is about at least `smallest` people.
 *
 * Somebody who knows the number of people in each column can add and subtract the columns with any factors. A person is in such a sum with a factor that depends on
 * the person's kind only; the people with another factor than zero are those whom the sum is about. Kinds are vectors, with a one for each
 * column, so those people are the ones outside of a hyperplane. If the people contain `smallest` bases (sets of independent kinds that span what all
 * kinds span) without a person in common, then each hyperplane lacks one person of each basis (Edmonds 1965, on packing bases of matroids). If no such bases
 * are found, all hyperplanes are tried, as long as they are few; otherwise the answer is no, which hides more than it must.
 *
 * @param all the people whose kinds exist at all: what is zero for all of them says nothing.
 */
export function isAboutEnough(people: Tally, all: Tally, columns: number, smallest: number): boolean {
  const rank = computeRank(all, columns);
  if (rank === 0) return true;
  const kinds = mergeKinds(people, columns);
  if (!hasRank(listKinds(kinds), rank)) return false;
  return hasBases(kinds, rank, smallest) || isOutsideOfPlanesEnough(kinds, rank, smallest);
}

/** Looks for bases without a person in common, from the most frequent kinds. */
function hasBases(kinds: Tally, rank: number, smallest: number): boolean {
  const left = new Map(kinds);
  // In large groups, one basis of kinds with enough people each is as good as many.
  const large = [...kinds].filter(([, people]) => people >= smallest).map(([kind]) => kind);
  if (hasRank(large, rank)) return true;
  for (let round = 0; round < smallest; round++) {
    const frequent = [...left].toSorted(([, one], [, other]) => other - one).map(([kind]) => kind);
    const basis = chooseBasis(frequent, rank);
    if (basis.length < rank) return false;
    for (const kind of basis) {
      const people_left = left.get(kind)! - 1;
      if (people_left === 0) left.delete(kind);
      else left.set(kind, people_left);
    }
  }
  return true;
}

/** A millisecond or two. */
const planes_max = 500;

/** Counts the people outside of each hyperplane that kinds span. */
function isOutsideOfPlanesEnough(kinds: Tally, rank: number, smallest: number): boolean {
  if (countChoices(kinds.size, rank - 1) > planes_max) return false;
  for (const plane of listChoices([...kinds.keys()], rank - 1)) {
    if (!hasRank(plane, rank - 1)) continue;
    let outside = 0;
    for (const [kind, people] of kinds) if (hasRank([...plane, kind], rank)) outside += people;
    if (outside < smallest) return false;
  }
  return true;
}

function countChoices(all: number, some: number): number {
  let count = 1;
  for (let place = 1; place <= some; place++) count = (count * (all - some + place)) / place;
  return count;
}

/** Lists the sets of so many of the kinds. There are at most {@link planes_max}. */
function listChoices(kinds: readonly number[], size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return kinds.flatMap((kind, place) =>
    listChoices(kinds.slice(place + 1), size - 1).map((rest) => [kind, ...rest]),
  );
}

/**
 * Adds the columns that follow from `columns` for all people, such as one that has the same people as another: those that nobody is in, and those that are the
 * only unknown column of a relation.
 */
export function closeColumns(all: Tally, columns: number): number {
  const { used, rows } = findRelations(all);
  const width = columns < earlier_factor ? columns_max : 2 * columns_max;
  const unknown = new Set(listPlaces(used));
  for (const place of listPlaces(columns)) unknown.delete(place);
  for (const row of removeKnown(rows, columns))
    if (row.filter((factor) => factor !== 0).length === 1)
      unknown.delete(row.findIndex((factor) => factor !== 0));
  return [...unknown]
    .filter((place) => place < width)
    .reduce((closed, place) => closed - 2 ** place, 2 ** width - 1);
}

/** Merges kinds that are the same in these columns, and leaves out those that are in none of them. */
function mergeKinds(tally: Tally, columns: number): Map<number, number> {
  const merged = new Map<number, number>();
  for (const [whole, people] of tally) {
    const kind = selectCommon(whole, columns);
    if (people > 0 && kind !== 0) merged.set(kind, (merged.get(kind) ?? 0) + people);
  }
  return merged;
}

/** Computes how many of some columns do not follow from the others: all but one for each relation of these alone. */
function computeRank(all: Tally, columns: number): number {
  const { used, rows } = findRelations(all);
  const alone = rows.length - removeKnown(rows, columns).length;
  return listPlaces(selectCommon(columns, used)).length - alone;
}

/** Lists the relations that have unknown columns besides `columns`, without the known ones, in the reduced form. */
function removeKnown(rows: Rows, columns: number): Rows {
  const known = new Set(listPlaces(columns));
  return solveRows(rows.map((row) => row.map((factor, place) => (known.has(place) ? 0 : factor))));
}

/** The columns that anybody is in, and their relations: sums, with factors, that are zero for every kind. */
type Relations = { readonly used: number; readonly rows: Rows };

const relationsOfTallies = new WeakMap<Tally, Relations>();

function findRelations(all: Tally): Relations {
  const known = relationsOfTallies.get(all);
  if (known) return known;
  const kinds = listKinds(all);
  const relations = { used: mergeColumns(kinds), rows: findNormals(kinds) };
  relationsOfTallies.set(all, relations);
  return relations;
}

function listKinds(tally: Tally): readonly number[] {
  return [...tally].filter(([, people]) => people > 0).map(([kind]) => kind);
}

function hasRank(kinds: readonly number[], rank: number): boolean {
  return chooseBasis(kinds, rank).length === rank;
}
