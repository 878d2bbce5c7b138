import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { toUncompared, type GroupRate } from '../compare-groups.ts';
import { compareOutcomes, type CellCounts } from '../compare-outcomes.ts';
import {
  biasOutcomes,
  biasStages,
  findGroup,
  listGroups,
  not_stated,
  other_groups,
  outcomeCells,
  reportAttributes,
  selections,
  smallest_cell,
  type BiasOutcome,
  type BiasStage,
  type OutcomeCell,
  type ReportAttribute,
} from '../rules.ts';
import type { PublishedCounts } from '../wire.ts';
import { compareRows, type Compared } from './approximate-rates.ts';
import { chooseColumns } from './choose-columns.ts';
import {
  combineGroups,
  countRow,
  findHost,
  joinSmallGroups,
  joinSomeRows,
  type GroupRow,
} from './join-groups.ts';
import {
  buildSet,
  countBetween,
  countIn,
  everybody,
  groupByColumns,
  sortPeople,
  type CountedPeople,
  type People,
  type SortedPeople,
} from './people.ts';
import { showNumbers, type RowNumber } from './show-numbers.ts';

/** Counts all members of the service who have said that they belong to a group; null if they were not counted, or are too few. */
export type CountAssessed = (attribute: ReportAttribute, group: string) => number | null;

export type Tables = Pick<PublishedCounts, 'totals' | 'coverage' | 'comparisons' | 'outcomes'>;

/** What the tables are built from: people who are in no other report. */
export type TableSources = {
  readonly rows: readonly CountedPeople[];
  readonly median_tier: number;
  readonly assessed: number | null;
  readonly countAssessed: CountAssessed;
};

/** Builds the tables of a report. With many people it computes for a second in all, so other requests come in between. */
export async function buildTables({
  rows,
  median_tier,
  assessed,
  countAssessed,
}: TableSources): Promise<Tables> {
  const sorted = sortPeople(rows, median_tier);
  const all = groupByColumns(sorted);
  const chosen = chooseColumns(all);
  const attributes = groupAttributes(sorted);
  const tables: Tables = {
    totals: { assessed, ...countStages(all) },
    coverage: listCoverage(attributes, countIn(all, everybody)),
    comparisons: [],
    outcomes: [],
  };
  const endLongTurn = createTurnEnder();
  for (const attribute of reportAttributes) {
    const table = attributes[attribute];
    const shown = showColumns(table, chosen, attribute === 'gender_ethnicity');
    for (const selection of selections) {
      await endLongTurn();
      const of_people =
        selection.of === 'assessed' ? (assessed ?? 0) : countIn(all, buildSet([selection.of]));
      const compared =
        selection.of === 'assessed'
          ? listFound(table, (group) => countAssessed(attribute, group))
          : listCompared(table, shown, selection);
      tables.comparisons.push({ attribute, ...selection, ...describeComparison(compared, table, of_people) });
    }
    if (attribute === 'gender_ethnicity') continue;
    const known = [everybody, ...[...shown.keys()].map((column) => buildSet([column]))];
    for (const outcome of biasOutcomes) {
      await endLongTurn();
      tables.outcomes.push({ attribute, outcome, ...buildOutcome(table, shown, outcome, known) });
    }
  }
  return tables;
}

type AttributeRows = Readonly<Record<ReportAttribute, readonly GroupRow[]>>;

function groupAttributes(rows: readonly SortedPeople[]): AttributeRows {
  const joinGroups = (attribute: Exclude<ReportAttribute, 'gender_ethnicity'>) => {
    const byGroup = Map.groupBy(rows, (row) => findGroup(attribute, row));
    return joinSmallGroups(
      new Map(listGroups(attribute).map((group) => [group, groupByColumns(byGroup.get(group) ?? [])])),
    );
  };
  const [gender, ethnicity] = [joinGroups('gender'), joinGroups('ethnicity')];
  const pairs = Map.groupBy(rows, (row) =>
    JSON.stringify([nameRow(gender, row.gender), nameRow(ethnicity, row.ethnicity)]),
  );
  const combined = [...pairs].map(([names, same]) => {
    const [row, column] = JSON.parse(names) as [string, string];
    return { row, column, people: groupByColumns(same) };
  });
  return {
    gender,
    age_band: joinGroups('age_band'),
    ethnicity,
    disability: joinGroups('disability'),
    gender_ethnicity: combineGroups(gender, ethnicity, combined),
  };
}

/** Names the row in which people of a group are counted. */
function nameRow(rows: readonly GroupRow[], stated: string | null): string {
  const group = stated ?? not_stated;
  const has = (name: string) => rows.some((row) => row.group === name);
  return has(group) ? group : has(other_groups) ? other_groups : (findHost(rows)?.group ?? other_groups);
}

function countStages(people: People): Readonly<Record<BiasStage, number>> {
  return Object.fromEntries(biasStages.map((stage) => [stage, countIn(people, buildSet([stage]))])) as Record<
    BiasStage,
    number
  >;
}

function listCoverage(attributes: AttributeRows, all: number): Tables['coverage'] {
  return reportAttributes
    .filter((attribute) => attribute !== 'gender_ethnicity')
    .map((attribute) => {
      const rows = attributes[attribute];
      const row = rows.find(({ group }) => group === not_stated);
      const unknown = row && rows.length > 1 ? countRow(row) : null;
      return { attribute, stated: unknown === null ? null : all - unknown, not_stated: unknown };
    });
}

type ShownColumns = ReadonlyMap<BiasStage, readonly RowNumber[]>;

/** Combined groups have the numbers of a column if all can be shown: what is not shown of one would follow from those of single groups. */
function showColumns(
  rows: readonly GroupRow[],
  chosen: readonly BiasStage[],
  isCombined: boolean,
): ShownColumns {
  const known: number[] = [];
  const shown = new Map<BiasStage, readonly RowNumber[]>();
  for (const column of chosen) {
    const numbers = showNumbers(rows, buildSet([column]), known);
    if (isCombined && numbers.some(({ is_shown }) => !is_shown)) continue;
    known.push(buildSet([column]));
    shown.set(column, numbers);
  }
  return shown;
}

/** Everybody is matched. */
const countMatched = (row: GroupRow): RowNumber => ({
  row,
  exact: countRow(row),
  used: countRow(row),
  is_shown: true,
});

function listFound(
  rows: readonly GroupRow[],
  countAssessed: (group: string) => number | null,
): readonly Compared[] {
  return rows.map((row) => {
    const selected = { of: countAssessed(row.group), selected: countRow(row) };
    return { number: countMatched(row), row: selected, own: selected };
  });
}

type Selection = { readonly selection: BiasStage; readonly of: BiasStage };

/** Lists what is compared. Rows of which the stage before is not shown are joined: the organisation knows their sum. */
function listCompared(
  rows: readonly GroupRow[],
  shown: ShownColumns,
  { selection, of }: Selection,
): readonly Compared[] {
  const before = shown.get(of);
  if (!shown.has(selection) || (of !== 'matched' && !before)) return [];
  const hidden = new Set((before ?? []).filter(({ is_shown }) => !is_shown).map(({ row }) => row));
  const joined = joinSomeRows(rows, (row) => hidden.has(row));
  const chosen = [...shown.keys()];
  const known = chosen.slice(0, chosen.indexOf(selection));
  const numbers = showNumbers(
    joined,
    buildSet([selection]),
    known.map((column) => buildSet([column])),
  );
  return numbers.map((number) => {
    const { people, own } = number.row;
    const count = (some: People, column: BiasStage) => countIn(some, buildSet([column]));
    return {
      number,
      row: { of: count(people, of), selected: Math.min(number.used, count(people, of)) },
      own: { of: count(own, of), selected: count(own, selection) },
    };
  });
}

function describeComparison(
  compared: readonly Compared[],
  rows: readonly GroupRow[],
  all_people: number,
): Pick<Tables['comparisons'][number], 'groups' | 'is_approximate'> {
  const describe = (row: GroupRow, rate: GroupRate) => ({
    ...rate,
    may_include_others: row.may_include_others,
  });
  if (compared.length === 0)
    return { is_approximate: false, groups: rows.map((row) => describe(row, describeUncounted(row))) };
  const rates = compareRows(compared, all_people);
  return {
    is_approximate: compared.some(({ number }) => !number.is_shown),
    groups: rates.map((rate, index) => describe(compared[index]!.number.row, rate)),
  };
}

function describeUncounted(row: GroupRow): GroupRate {
  return toUncompared({
    group: row.group,
    people: countRow(row),
    selected: null,
    rate: null,
    is_excluded: false,
  });
}

const cells_min = outcomeCells.length * smallest_cell;

/**
 * Compares what became of people. A table is shown if each of its cells, of each group, has at least ten people, and so has each difference of cells to what is known of the group. Groups of
 * which too few outcomes are known are counted with others, as are those with a number that is not shown.
 */
function buildOutcome(rows: readonly GroupRow[], shown: ShownColumns, outcome: BiasOutcome, known: number[]) {
  const cells = outcomeCells.map((cell) => buildSet([`${outcome}:${cell}`]));
  const hidden = new Set([...shown.values()].flat().flatMap(({ row, is_shown }) => (is_shown ? [] : [row])));
  const joined = joinSomeRows(rows, (row) => hidden.has(row));
  const any = cells.reduce((set, cell) => set | cell, 0);
  const host = findHost(joined);
  const isFew = (row: GroupRow) => countIn(row.people, any) < cells_min;
  const table = joined.some(isFew) ? joinSomeRows(joined, (row) => row === host || isFew(row)) : joined;
  const sums = listSums(cells);
  const isShown = sums.every((sum) => isFarFrom(table, sum, [0, ...known]));
  if (isShown) known.push(...sums);
  const groups = Object.fromEntries(
    (isShown ? table : rows).map((row) => [row.group, isShown ? countCells(row, cells) : undefined]),
  );
  const { groups: compared, ...gaps } = compareOutcomes(groups);
  return { ...gaps, groups: [...compared] };
}

function listSums(cells: readonly number[]): readonly number[] {
  return Array.from({ length: 2 ** cells.length - 1 }, (_, number) =>
    cells.reduce((sum, cell, place) => sum | (((number + 1) >> place) % 2 === 1 ? cell : 0), 0),
  );
}

/** Says whether a set of people differs by at least ten in each row from every known one, unless it is the same for all people. */
function isFarFrom(rows: readonly GroupRow[], set: number, known: readonly number[]): boolean {
  return known.every((other) => {
    const apart = rows.map(({ people }) => countBetween(people, set, other));
    return (
      apart.every((people) => people >= smallest_cell) ||
      (other !== 0 && apart.every((people) => people === 0))
    );
  });
}

function countCells(row: GroupRow, cells: readonly number[]): CellCounts {
  return Object.fromEntries(
    outcomeCells.map((cell, place) => [cell, countIn(row.people, cells[place]!)]),
  ) as Record<OutcomeCell, number>;
}
