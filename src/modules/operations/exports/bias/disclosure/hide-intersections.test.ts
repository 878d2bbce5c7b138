import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countColumn, sumTallies, type Tally } from './count-bases.ts';
import { hideSmallGroups, type ShownColumns } from './hide-groups.ts';
import { hideIntersections, type Cell } from './hide-intersections.ts';

const smallest = 10;
const [all, chosen] = [1, 2] as const;
const bundles = [all, chosen];
const rowNames = ['woman', 'man', 'not_stated'];
const columnNames = ['asian', 'white', 'not_stated'];

const anyCell = fc
  .tuple(fc.oneof(fc.constant(0), fc.nat(15), fc.nat(80)), fc.nat(100))
  .map(([people, share]): Tally => {
    const selected = Math.round((people * share) / 100);
    return new Map([
      [all, people - selected],
      [all | chosen, selected],
    ]);
  });

const anyTable = fc.array(anyCell, { minLength: 9, maxLength: 9 });

function buildTable(tallies: readonly Tally[]) {
  const cells = rowNames.flatMap((row, r) =>
    columnNames.map((column, c): Cell => ({
      group: `${row}+${column}`,
      row,
      column,
      tally: tallies[r * 3 + c]!,
    })),
  );
  const sum = (name: 'row' | 'column', value: string) =>
    sumTallies(cells.filter((cell) => cell[name] === value).map(({ tally }) => tally));
  const hide = (name: 'row' | 'column', values: readonly string[]) =>
    hideSmallGroups(
      new Map(
        values
          .map((value) => [value, sum(name, value)] as const)
          .filter(([, tally]) => countColumn(tally, all) > 0),
      ),
      bundles,
      smallest,
    );
  const [rows, columns] = [hide('row', rowNames), hide('column', columnNames)];
  const present = cells.filter(({ row, column }) => rows.has(row) && columns.has(column));
  return {
    cells: present,
    rows,
    columns,
    shown: hideIntersections(present, { rows, columns }, bundles, smallest),
  };
}

/** What is read of a group: people, chosen people, and those who are not chosen. */
const reads = [
  { needed: all, count: (tally: Tally) => countColumn(tally, all) },
  { needed: all | chosen, count: (tally: Tally) => countColumn(tally, chosen) },
  { needed: all | chosen, count: (tally: Tally) => countColumn(tally, all) - countColumn(tally, chosen) },
];

/** Every way to add, subtract or leave out each of so many sums. */
const listSigns = (length: number): number[][] =>
  length === 0 ? [[]] : listSigns(length - 1).flatMap((signs) => [-1, 0, 1].map((sign) => [...signs, sign]));

/** Lists the sums of hidden cells that follow from the margins and cells that are shown, by every combination of margins. */
function listDerived(
  { cells, rows, columns, shown }: ReturnType<typeof buildTable>,
  read: (typeof reads)[number],
): number[] {
  const isKnown = (table: ShownColumns, name: string) =>
    ((table.get(name) ?? 0) & read.needed) === read.needed;
  if (!cells.some(({ group }) => isKnown(shown, group))) return [];
  const hidden = cells.filter(({ group }) => !isKnown(shown, group));
  const [knownRows, knownColumns] = [
    rowNames.filter((name) => isKnown(rows, name)),
    columnNames.filter((name) => isKnown(columns, name)),
  ];
  return listSigns(knownRows.length + knownColumns.length + 1).flatMap((signs) => {
    const factors = hidden.map(
      ({ row, column }) =>
        (knownRows.includes(row) ? signs[knownRows.indexOf(row)]! : 0) +
        (knownColumns.includes(column) ? signs[knownRows.length + knownColumns.indexOf(column)]! : 0) +
        signs.at(-1)!,
    );
    if (factors.some((factor) => factor !== 0 && factor !== 1) || !factors.includes(1)) return [];
    return hidden.reduce((sum, { tally }, place) => sum + read.count(tally) * factors[place]!, 0);
  });
}

test('no number of people below ten follows from the margins and the combined groups', () => {
  fc.assert(
    fc.property(anyTable, (tallies) => {
      const table = buildTable(tallies);
      const everybody = sumTallies(table.cells.map(({ tally }) => tally));
      const telling = reads.filter((read) => read.count(everybody) > 0);
      const derived = telling.flatMap((read) => listDerived(table, read));
      const shown = telling.flatMap((read) =>
        table.cells
          .filter(({ group }) => (table.shown.get(group)! & read.needed) === read.needed)
          .map(({ tally }) => read.count(tally)),
      );
      expect(Math.min(Infinity, ...derived, ...shown)).toBeGreaterThanOrEqual(smallest);
    }),
    { numRuns: 300 },
  );
});

test('large tables are shown as a whole, and one small cell hides those from which it would follow', () => {
  const buildHalf = (people: number): Tally =>
    new Map([
      [all, people / 2],
      [all | chosen, people / 2],
    ]);
  const large = buildTable(Array.from({ length: 9 }, () => buildHalf(60)));
  expect([...large.shown.values()]).toEqual(Array.from({ length: 9 }, () => all | chosen));
  const { shown } = buildTable([4, 60, 60, 60, 60, 60, 60, 60, 60].map(buildHalf));
  expect(shown.get('woman+asian')).toBe(0);
  const hidden = [...shown.values()].filter((columns) => columns === 0);
  expect(hidden.length).toBeGreaterThanOrEqual(4);
  expect(hidden.length).toBeLessThan(9);
});
