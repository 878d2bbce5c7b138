import { closeColumns, countColumn, isAboutEnough, sumTallies, type Tally } from './count-bases.ts';
import { earlier_factor, selectCommon } from './column-sets.ts';
import { isShowable, listCommonColumns, type Bundles, type ShownColumns } from './hide-groups.ts';

/** A combined group: its row and its column are groups of the two attributes. */
export type Cell = {
  readonly group: string;
  readonly row: string;
  readonly column: string;
  readonly tally: Tally;
};

/** What the groups of the two attributes show alone. */
export type Margins = { readonly rows: ShownColumns; readonly columns: ShownColumns };

/**
 * Decides which columns of combined groups are shown, beside the numbers of the single groups. A reader knows the margins that are shown and
 * the total, and can subtract: the sum of some rows less the sum of some columns. All sums of hidden cells that follow in this way are
 * differences over a cut of the graph that has rows and columns as nodes and hidden cells as edges. A bundle is hidden in further cells, the smallest
 * first, until no cut has a single cell, or a number that is about fewer than `smallest` people.
 */
export function hideIntersections(
  cells: readonly Cell[],
  margins: Margins,
  bundles: Bundles,
  smallest: number,
): ShownColumns {
  const all = sumTallies(cells.map(({ tally }) => tally));
  const shown = new Map(cells.map(({ group }) => [group, 0]));
  for (const bundle of bundles) {
    for (const { group, tally } of cells) {
      const columns = shown.get(group)! | bundle;
      const isPossible = bundle === bundles[0] || shown.get(group)! !== 0;
      if (isPossible && isShowable({ tally, all, columns, bundle }, smallest)) shown.set(group, columns);
    }
    while (isDerivable({ cells, all, shown, margins }, smallest)) hideBundle(cells, shown, bundle);
  }
  return shown;
}

/** Combined groups, and what is shown of them and of their margins. */
export type CombinedTable = {
  readonly cells: readonly Cell[];
  readonly all: Tally;
  readonly shown: ShownColumns;
  readonly margins: Margins;
};

/** Whether a small number follows from what is shown. */
export function isDerivable({ cells, all, shown, margins }: CombinedTable, smallest: number): boolean {
  const close = (table: ShownColumns) =>
    new Map([...table].map(([group, columns]) => [group, columns && closeColumns(all, columns)]));
  const [closed, rows, columns] = [close(shown), close(margins.rows), close(margins.columns)];
  return listCommonColumns(closed.values()).some((common) => {
    // What is about columns of an earlier report alone was decided with that report.
    if (common % earlier_factor === 0) return false;
    const isKnown = (table: ShownColumns, group: string) =>
      selectCommon(table.get(group) ?? 0, common) === common;
    const hidden = cells
      .filter(({ group }) => !isKnown(closed, group))
      .map((cell) => ({
        // Groups whose margins are hidden are known only together, as the rest of the total.
        row: isKnown(rows, cell.row) ? cell.row : '',
        column: isKnown(columns, cell.column) ? cell.column : '',
        tally: cell.tally,
      }));
    const isSmall = (some: readonly HiddenCell[]) =>
      some.length === 1 ||
      (some.length > 1 && !isAboutEnough(sumTallies(some.map(({ tally }) => tally)), all, common, smallest));
    return hasSmallCut(hidden, isSmall);
  });
}

type HiddenCell = { readonly row: string; readonly column: string; readonly tally: Tally };

/**
 * Whether the sums of some rows and columns give a number of few hidden cells. Attributes have few rows, so all sets of rows are tried, each with
 * the columns that leave the fewest cells; where these leave none, the smallest that is left is one column.
 */
function hasSmallCut(
  hidden: readonly HiddenCell[],
  isSmall: (cells: readonly HiddenCell[]) => boolean,
): boolean {
  if ([...Map.groupBy(hidden, ({ column }) => column).values()].some(isSmall)) return true;
  const rows = [...new Set(hidden.map(({ row }) => row))];
  for (let set = 1; set < 2 ** rows.length; set++) {
    const inside = new Set(rows.filter((_, place) => (set >> place) % 2 === 1));
    const outer = hidden.filter(({ row }) => !inside.has(row));
    const inner = hidden.filter(({ row }) => inside.has(row));
    const [outerColumns, innerColumns] = [listColumns(outer), listColumns(inner)];
    // Rows less the columns that are wholly within them, and columns of these rows less the rows.
    const rest = inner.filter(({ column }) => outerColumns.has(column));
    const beyond = outer.filter(({ column }) => innerColumns.has(column));
    if (isSmall(rest) || isSmall(beyond)) return true;
  }
  return false;
}

function listColumns(cells: readonly HiddenCell[]): ReadonlySet<string> {
  return new Set(cells.map(({ column }) => column));
}

function hideBundle(cells: readonly Cell[], shown: Map<string, number>, bundle: number): void {
  const least = cells
    .filter(({ group }) => shown.get(group)! & bundle)
    .toSorted((one, other) => countColumn(one.tally, bundle) - countColumn(other.tally, bundle))[0]!;
  shown.set(least.group, shown.get(least.group)! & ~bundle);
}
