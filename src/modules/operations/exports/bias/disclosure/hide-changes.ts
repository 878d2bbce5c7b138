import { countColumn, isAboutEnough, subtractTally, sumTallies, type Tally } from './count-bases.ts';
import { earlier_factor } from './column-sets.ts';
import { isRestSmall, type Bundles, type GroupTallies, type ShownColumns } from './hide-groups.ts';
import { isDerivable, type Cell, type Margins } from './hide-intersections.ts';

/** What an earlier report shows of groups, and the people of each group by the columns that they are in now and were in then. */
export type EarlierGroups = { readonly shown: ShownColumns; readonly groups: GroupTallies };

/** The same with all people of the groups. */
type SeenGroups = EarlierGroups & { readonly all: Tally };

/**
 * Hides what would tell about few people together with an earlier report. An organisation can choose all people that a column counted but one, wait
 * for the next report, and subtract a column of one report from another column of the other. Columns of two reports are like columns of one: each person is of
 * a kind in both, and everything that follows from both is about `smallest` people of the group, and as many others. Bundles are hidden from
 * the last one on.
 */
export function hideChanges(
  { groups, shown, bundles }: ShownGroups,
  earlier: readonly EarlierGroups[],
  smallest: number,
): ShownColumns {
  const left = new Map(shown);
  const seen = earlier.map((each) => ({ ...each, all: sumTallies(each.groups.values()) }));
  for (const [group, columns] of shown)
    left.set(group, findSafeColumns(group, { columns, bundles }, seen, smallest));
  const all = sumTallies(groups.values());
  const isRestTelling = () =>
    isRestSmall(groups, all, left, smallest) ||
    seen.some((each) => isRestSmall(each.groups, each.all, joinColumns(left, each.shown), smallest));
  while ([...left.values()].some((columns) => columns !== 0) && isRestTelling())
    hideLastBundle(groups, left, bundles);
  return left;
}

/** Groups, and what one report alone may show of them. */
export type ShownGroups = {
  readonly groups: GroupTallies;
  readonly shown: ShownColumns;
  readonly bundles: Bundles;
};

/** The columns that both reports show, as bits of both. */
function joinColumns(shown: ShownColumns, before: ShownColumns): ShownColumns {
  const names = new Set([...shown.keys(), ...before.keys()]);
  return new Map([...names].map((name) => [name, join(shown.get(name), before.get(name))]));
}

function join(columns = 0, before = 0): number {
  return columns + before * earlier_factor;
}

function findSafeColumns(
  group: string,
  { columns, bundles }: { readonly columns: number; readonly bundles: Bundles },
  earlier: readonly SeenGroups[],
  smallest: number,
): number {
  let left = columns;
  while (left !== 0 && !earlier.every((each) => isChangeLarge(each, group, left, smallest)))
    left = dropLastBundle(left, bundles);
  return left;
}

function isChangeLarge(
  { shown, groups, all }: SeenGroups,
  group: string,
  columns: number,
  smallest: number,
): boolean {
  const before = shown.get(group) ?? 0;
  if (before === 0) return true;
  const inside = groups.get(group) ?? new Map<number, number>();
  return [inside, subtractTally(all, inside)].every((people) =>
    isAboutEnough(people, all, join(columns, before), smallest),
  );
}

function dropLastBundle(columns: number, bundles: Bundles): number {
  return columns & ~(bundles.findLast((bundle) => columns & bundle) ?? columns);
}

/** Hides the last bundle that is shown, in the smallest group that shows it. */
function hideLastBundle(groups: GroupTallies, shown: Map<string, number>, bundles: Bundles): void {
  const bundle = bundles.findLast((each) => [...shown.values()].some((columns) => columns & each))!;
  const [least] = [...groups]
    .filter(([group]) => (shown.get(group) ?? 0) & bundle)
    .toSorted(([, one], [, other]) => countColumn(one, bundle) - countColumn(other, bundle));
  const group = least![0];
  shown.set(group, shown.get(group)! & ~bundle);
}

/** What an earlier report shows of combined groups and of their margins. */
export type EarlierCells = {
  readonly shown: ShownColumns;
  readonly margins: Margins;
  readonly cells: readonly Cell[];
};

/** Says whether combined groups may be shown together with earlier reports: all of them as they are, or none. */
export function areChangesLarge(
  { shown, margins }: { readonly shown: ShownColumns; readonly margins: Margins },
  earlier: readonly EarlierCells[],
  smallest: number,
): boolean {
  return earlier.every((each) => {
    const all = sumTallies(each.cells.map(({ tally }) => tally));
    const groups = new Map(each.cells.map(({ group, tally }) => [group, tally] as const));
    const own = { shown: each.shown, groups, all };
    return (
      [...shown].every(([group, columns]) => columns === 0 || isChangeLarge(own, group, columns, smallest)) &&
      !isDerivable(
        {
          cells: each.cells,
          all,
          shown: joinColumns(shown, each.shown),
          margins: {
            rows: joinColumns(margins.rows, each.margins.rows),
            columns: joinColumns(margins.columns, each.margins.columns),
          },
        },
        smallest,
      )
    );
  });
}
