/** The report has so many columns. */
const columns_max = 18;

/** The columns of an earlier report are bits above those of the new one, so that a set of columns can be of both. */
export const earlier_factor = 2 ** columns_max;

/** The columns of two sets of at most twice 18 columns that are in both; the operators of JavaScript have 32 bits. */
export function selectCommon(one: number, other: number): number {
  if (one < earlier_factor || other < earlier_factor) return one & other & (earlier_factor - 1);
  const above = Math.floor(one / earlier_factor) & Math.floor(other / earlier_factor);
  return (one & other & (earlier_factor - 1)) + above * earlier_factor;
}

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
  const rank = computeRank(mergeKinds(all, columns).keys());
  if (rank === 0) return true;
  const kinds = mergeKinds(people, columns);
  if (computeRank(kinds.keys()) < rank) return false;
  return hasBases(kinds, rank, smallest) || isOutsideOfPlanesEnough(kinds, rank, smallest);
}

/** Looks for bases without a person in common, from the most frequent kinds. */
function hasBases(kinds: Tally, rank: number, smallest: number): boolean {
  const left = new Map(kinds);
  // In large groups, one basis of kinds with enough people each is as good as many.
  const large = [...kinds].filter(([, people]) => people >= smallest).map(([kind]) => kind);
  if (large.length >= rank && computeRank(large) === rank) return true;
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
    if (computeRank(plane) < rank - 1) continue;
    let outside = 0;
    for (const [kind, people] of kinds) if (computeRank([...plane, kind]) === rank) outside += people;
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

/** Adds the columns that follow from `columns` for all people, such as one that has the same people as another. */
export function closeColumns(all: Tally, columns: number): number {
  const rank = computeRank(mergeKinds(all, columns).keys());
  let closed = columns;
  const width = columns < earlier_factor ? columns_max : 2 * columns_max;
  for (let place = 0; place < width; place++) {
    const bit = 2 ** place;
    if (selectCommon(columns, bit) === 0 && computeRank(mergeKinds(all, columns + bit).keys()) === rank)
      closed += bit;
  }
  return closed;
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

function computeRank(kinds: Iterable<number>): number {
  return chooseBasis(kinds).length;
}

/** Chooses the first independent kinds, by elimination, until there are `rank`. */
function chooseBasis(kinds: Iterable<number>, rank = Infinity): readonly number[] {
  const chosen: number[] = [];
  const rows: { readonly pivot: number; readonly values: Float64Array }[] = [];
  for (const kind of kinds) {
    const values = toVector(kind);
    for (const row of rows) {
      const factor = values[row.pivot]!;
      if (factor !== 0)
        for (let place = 0; place < values.length; place++) values[place]! -= factor * row.values[place]!;
    }
    const pivot = values.findIndex((value) => Math.abs(value) > rounding);
    if (pivot < 0) continue;
    const scale = values[pivot]!;
    rows.push({ pivot, values: values.map((value) => value / scale) });
    chosen.push(kind);
    if (chosen.length === rank) break;
  }
  return chosen;
}

/** Far below what the elimination of vectors of zeros and ones can leave. */
const rounding = 1e-9;

function toVector(kind: number): Float64Array {
  const values = new Float64Array(2 * columns_max);
  for (let place = 0, rest = kind; rest > 0; place++, rest = Math.floor(rest / 2)) values[place] = rest % 2;
  return values;
}
