import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideIntersections } from './intersections.ts';
import {
  biasStages,
  hideSmallCells,
  nameIntersection,
  nobody,
  smallest_cell,
  type BiasStage,
  type ShownStages,
  type StageCounts,
} from './rules.ts';

const rowNames = ['woman', 'man', 'not_stated'];
const columnNames = ['asian', 'white', 'not_stated'];

const anyCell = fc
  .tuple(fc.oneof(fc.constant(0), fc.nat(15), fc.nat(80)), fc.nat(100))
  .map(([matched, chosen]): StageCounts => {
    const org_interested = Math.round((matched * chosen) / 100);
    return { ...nobody, matched, org_interested };
  });

const anyTable = fc.array(anyCell, { minLength: 9, maxLength: 9 });

const sumCounts = (rows: readonly StageCounts[]): StageCounts => ({
  ...nobody,
  matched: rows.reduce((sum, { matched }) => sum + matched, 0),
  org_interested: rows.reduce((sum, { org_interested }) => sum + org_interested, 0),
});

function buildTable(cells: readonly StageCounts[]) {
  const findCell = (row: number, column: number) => cells[row * 3 + column]!;
  const totals = sumCounts(cells);
  const sumRow = (row: number) => sumCounts([0, 1, 2].map((column) => findCell(row, column)));
  const sumColumn = (column: number) => sumCounts([0, 1, 2].map((row) => findCell(row, column)));
  const rows = hideSmallCells(totals, Object.fromEntries(rowNames.map((name, row) => [name, sumRow(row)])));
  const columns = hideSmallCells(
    totals,
    Object.fromEntries(columnNames.map((name, column) => [name, sumColumn(column)])),
  );
  const groups = Object.fromEntries(
    rowNames.flatMap((row, r) =>
      columnNames.map((column, c) => [nameIntersection(row, column), findCell(r, c)]),
    ),
  );
  return { groups, totals, rows, columns, shown: hideIntersections(groups, { totals, rows, columns }) };
}

type Read = (row: ShownStages | StageCounts) => number | null;

const reads: readonly Read[] = [
  ({ matched }) => matched,
  ({ org_interested }) => org_interested,
  ({ matched, org_interested }) =>
    matched === null || org_interested === null ? null : matched - org_interested,
];

/** Every way to add, subtract or leave out each of so many sums. */
const listSigns = (length: number): number[][] =>
  length === 0 ? [[]] : listSigns(length - 1).flatMap((signs) => [-1, 0, 1].map((sign) => [...signs, sign]));

/**
 * Lists the numbers of people that follow from the margins and cells that are shown, by every combination of margins: each that leaves hidden
 * cells once each, and none of them less than nobody.
 */
function listDerived(table: ReturnType<typeof buildTable>, read: Read): number[] {
  const hidden = Object.entries(table.groups)
    .filter(([group]) => read(table.shown[group]!) === null)
    .map(([group, counts]) => {
      const [row = '', column = ''] = group.split('+');
      return { row, column, people: read(counts)! };
    });
  // Where no combined group is shown, the margins say what they say alone. A margin of nobody is shown, and so are its groups.
  if (!Object.values(table.shown).some((row) => (row.matched ?? 0) > 0 && read(row) !== null)) return [];
  const listKnown = (margins: Readonly<Record<string, ShownStages>>) =>
    Object.keys(margins).filter((name) => read(margins[name]!) !== null);
  const [rows, columns] = [listKnown(table.rows), listKnown(table.columns)];
  return listSigns(rows.length + columns.length + 1).flatMap((signs) => {
    const coefficients = hidden.map(
      ({ row, column }) =>
        (signs[rows.indexOf(row)] ?? 0) * Number(rows.includes(row)) +
        (signs[rows.length + columns.indexOf(column)] ?? 0) * Number(columns.includes(column)) +
        signs.at(-1)!,
    );
    if (coefficients.some((each) => each !== 0 && each !== 1) || !coefficients.includes(1)) return [];
    return hidden.reduce((sum, { people }, place) => sum + people * coefficients[place]!, 0);
  });
}

test('no number of people below ten follows from the margins and the combined groups', () => {
  fc.assert(
    fc.property(anyTable, (cells) => {
      const table = buildTable(cells);
      const derived = reads.flatMap((read) => listDerived(table, read));
      // A margin of nobody is shown as such, and has no combined group with somebody.
      const telling = hasEmptyMargin(table) ? derived.filter((people) => people !== 0) : derived;
      expect(Math.min(Infinity, ...telling)).toBeGreaterThanOrEqual(smallest_cell);
    }),
    { numRuns: 300 },
  );
});

const hasEmptyMargin = ({ rows, columns }: ReturnType<typeof buildTable>) =>
  [...Object.values(rows), ...Object.values(columns)].some(({ matched }) => matched === 0);

test('the numbers that are shown are the true ones, and large tables are shown as a whole', () => {
  fc.assert(
    fc.property(anyTable, (cells) => {
      const { groups, shown } = buildTable(cells);
      for (const [group, counts] of Object.entries(groups))
        for (const stage of biasStages)
          expect([null, counts[stage]]).toContain(shown[group]![stage satisfies BiasStage]);
    }),
  );
  const large = buildTable(Array.from({ length: 9 }, () => ({ ...nobody, matched: 60, org_interested: 30 })));
  expect(Object.values(large.shown).map(({ matched, org_interested }) => [matched, org_interested])).toEqual(
    Array.from({ length: 9 }, () => [60, 30]),
  );
});

test('one small combined group hides those from which it would follow', () => {
  const sizes = [3, 60, 60, 60, 60, 60, 60, 60, 60];
  const { shown } = buildTable(sizes.map((matched) => ({ ...nobody, matched })));
  const hidden = Object.values(shown).filter(({ matched }) => matched === null);
  expect(shown['woman+asian']!.matched).toBeNull();
  expect(hidden.length).toBeGreaterThanOrEqual(4);
  expect(hidden.length).toBeLessThan(9);
});
