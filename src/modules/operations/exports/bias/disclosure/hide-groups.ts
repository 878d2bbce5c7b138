import {
  closeColumns,
  countColumn,
  isAboutEnough,
  subtractTally,
  sumTallies,
  type Tally,
} from './count-bases.ts';
import { earlier_factor, selectCommon } from './column-sets.ts';

/** The people of each group by kind. */
export type GroupTallies = ReadonlyMap<string, Tally>;

/** The columns of each group that are shown, as bits. */
export type ShownColumns = ReadonlyMap<string, number>;

/** Columns that are shown together or not at all, as bits. */
export type Bundles = readonly number[];

/**
 * Decides which columns of which groups are shown, beside the totals, which are known. Bundles are added one after the other, and the first is the number of people
 * in the group. A group shows a bundle if every number that follows from its columns is about `smallest` people of the group and as many others.
 * Then the bundle is hidden in further groups, the smallest first, until what follows about the hidden ones by subtraction from the totals is about
 * `smallest` people in two groups or more. A group without people is left out by the caller.
 */
export function hideSmallGroups(groups: GroupTallies, bundles: Bundles, smallest: number): ShownColumns {
  const all = sumTallies(groups.values());
  const shown = new Map([...groups.keys()].map((group) => [group, 0]));
  for (const bundle of bundles) {
    for (const [group, tally] of groups) {
      const columns = shown.get(group)! | bundle;
      const isPossible = bundle === bundles[0] || shown.get(group)! !== 0;
      if (isPossible && isShowable({ tally, all, columns, bundle }, smallest)) shown.set(group, columns);
    }
    while (isRestSmall(groups, all, shown, smallest)) hideBundle(groups, shown, bundle);
  }
  return shown;
}

type Candidate = {
  readonly tally: Tally;
  readonly all: Tally;
  /** What the group would show. */
  readonly columns: number;
  /** What of it is new. */
  readonly bundle: number;
};

/** Says whether a group can show columns, as far as the group and all others together are concerned. */
export function isShowable({ tally, all, columns, bundle }: Candidate, smallest: number): boolean {
  const others = subtractTally(all, tally);
  return [tally, others].every(
    (people) =>
      listBits(bundle).every((column) => countColumn(people, column) >= smallest) &&
      isAboutEnough(people, all, columns, smallest),
  );
}

/** Says whether the hidden groups together are too small for something that follows about them and is about a column of the new report. */
export function isRestSmall(
  groups: GroupTallies,
  all: Tally,
  shown: ShownColumns,
  smallest: number,
): boolean {
  const closed = new Map(
    [...shown].map(([group, columns]) => [group, columns && closeColumns(all, columns)]),
  );
  return listCommonColumns(closed.values()).some((columns) => {
    // What is about columns of an earlier report alone was decided with that report.
    if (columns % earlier_factor === 0) return false;
    const hidden = [...groups].filter(([group]) => selectCommon(closed.get(group)!, columns) !== columns);
    if (hidden.length === 0) return false;
    const rest = sumTallies(hidden.map(([, tally]) => tally));
    return hidden.length === 1 || !isAboutEnough(rest, all, columns, smallest);
  });
}

/** Lists the sets of columns that several groups show in common: those of each group, and their intersections. */
export function listCommonColumns(shown: Iterable<number>): readonly number[] {
  const common = new Set<number>();
  for (const columns of shown)
    for (const other of [columns, ...[...common].map((each) => selectCommon(each, columns))])
      if (other !== 0) common.add(other);
  return [...common];
}

function hideBundle(groups: GroupTallies, shown: Map<string, number>, bundle: number): void {
  const least = [...groups]
    .filter(([group]) => shown.get(group)! & bundle)
    .toSorted(([, one], [, other]) => countColumn(one, bundle) - countColumn(other, bundle))[0]!;
  shown.set(least[0], shown.get(least[0])! & ~bundle);
}

/** Lists the columns of a set. */
export function listBits(columns: number): readonly number[] {
  const bits: number[] = [];
  for (let rest = columns; rest !== 0; rest &= rest - 1) bits.push(rest & -rest);
  return bits;
}
