import {
  biasStages,
  intersection_joint,
  listRelated,
  nothingShown,
  smallest_cell,
  type BiasStage,
  type ShownStages,
  type StageCounts,
} from './rules.ts';

/** All people, and the groups of each of the two attributes that are combined, as the report shows them. */
type Margins = {
  readonly totals: StageCounts;
  readonly rows: Readonly<Record<string, ShownStages>>;
  readonly columns: Readonly<Record<string, ShownStages>>;
};

type Cell = {
  readonly group: string;
  readonly row: string;
  readonly column: string;
  readonly counts: StageCounts;
  readonly shown: Record<BiasStage, number | null>;
};

/**
 * Decides which numbers of combined groups are shown, beside the numbers of the single groups. A reader knows the margins that are shown and
 * the total, and can subtract: the sum of some rows less the sum of some columns. All sums of hidden cells that follow in this way are
 * differences over a cut of the graph that has rows and columns as nodes and hidden cells as edges. A number is shown if at least
 * `smallest_cell` people are behind it and behind its difference to each wider stage; then further numbers are hidden, the smallest first, until
 * no cut has a sum of fewer than `smallest_cell` people or of a single cell, for each stage and each difference of stages.
 */
export function hideIntersections(
  groups: Readonly<Record<string, StageCounts>>,
  margins: Margins,
): Readonly<Record<string, ShownStages>> {
  const all = Object.entries(groups).map(([group, counts]): Cell => {
    const [row = '', column = ''] = group.split(intersection_joint);
    return { group, row, column, counts, shown: { ...nothingShown } };
  });
  const isEmpty = ({ row, column }: Cell) =>
    margins.rows[row]?.matched === 0 || margins.columns[column]?.matched === 0;
  const cells = all.filter((cell) => !isEmpty(cell));
  for (const stage of biasStages) {
    for (const cell of cells)
      if (isLargeEnough(cell, margins.totals, stage)) cell.shown[stage] = cell.counts[stage];
    while (isDerivable(cells, margins, stage)) hideSmallest(cells, stage);
  }
  return Object.fromEntries(all.map((cell) => [cell.group, isEmpty(cell) ? cell.counts : cell.shown]));
}

function isLargeEnough(
  { counts, shown }: Pick<Cell, 'counts' | 'shown'>,
  totals: StageCounts,
  stage: BiasStage,
): boolean {
  return (
    counts[stage] >= smallest_cell &&
    listRelated(stage, totals).every(
      (wider) => shown[wider] !== null && Math.abs(counts[wider] - counts[stage]) >= smallest_cell,
    )
  );
}

function hideSmallest(cells: readonly Cell[], stage: BiasStage): void {
  const { shown } = cells
    .filter((cell) => cell.shown[stage] !== null)
    .reduce((least, cell) => (cell.shown[stage]! < least.shown[stage]! ? cell : least));
  shown[stage] = null;
  if (stage === 'matched') Object.assign(shown, nothingShown);
}

/** Whether a small number follows from what is shown, in a stage or in its difference to a wider one. */
function isDerivable(cells: readonly Cell[], margins: Margins, stage: BiasStage): boolean {
  if (cells.every(({ shown }) => shown[stage] === null)) return false;
  const tables: readonly (readonly [BiasStage, BiasStage | undefined])[] = [
    [stage, undefined],
    ...listRelated(stage, margins.totals).map((wider) => [stage, wider] as const),
  ];
  return tables.some(([narrow, wider]) => {
    const isKnown = (shown: ShownStages | undefined) =>
      shown !== undefined && shown[narrow] !== null && (wider === undefined || shown[wider] !== null);
    const hidden = cells
      .filter(({ shown }) => !isKnown(shown))
      .map(({ row, column, counts }) => ({
        // Groups whose margins are hidden are known only together, as the rest of the total.
        row: isKnown(margins.rows[row]) ? row : '',
        column: isKnown(margins.columns[column]) ? column : '',
        people: wider === undefined ? counts[narrow] : Math.abs(counts[wider] - counts[narrow]),
      }));
    return hasSmallCut(hidden);
  });
}

type HiddenCell = { readonly row: string; readonly column: string; readonly people: number };

/**
 * Whether the sums of some rows and columns give the number of people of few hidden cells. Attributes have few rows, so all sets of rows are
 * tried, each with the columns that leave the fewest cells; where these leave none, the smallest that is left is one column.
 */
function hasSmallCut(hidden: readonly HiddenCell[]): boolean {
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

function isSmall(cells: readonly HiddenCell[]): boolean {
  if (cells.length === 0) return false;
  return cells.length < 2 || cells.reduce((sum, { people }) => sum + people, 0) < smallest_cell;
}
