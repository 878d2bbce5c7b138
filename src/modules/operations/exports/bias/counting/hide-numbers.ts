import { setImmediate as pauseForIo } from 'node:timers/promises';
import { countColumn, sumTallies, type Tally } from '../disclosure/count-bases.ts';
import { areChangesLarge, hideChanges } from '../disclosure/hide-changes.ts';
import { hideSmallGroups, listBits, type ShownColumns } from '../disclosure/hide-groups.ts';
import { hideIntersections, type Cell, type Margins } from '../disclosure/hide-intersections.ts';
import {
  biasStages,
  columns,
  intersection_joint,
  listGroups,
  mapAttributes,
  mapColumns,
  smallest_cell,
  type ColumnCounts,
  type ReportAttribute,
  type ShownColumnCounts,
} from '../rules.ts';
import { bundles, columnBits, countKinds, type AttributeKinds } from './kinds.ts';

/** The numbers of every attribute that may be shown. */
export type ShownAttributes = Readonly<Record<ReportAttribute, Readonly<Record<string, ShownColumnCounts>>>>;

/** The people of every group by the columns that they are in. */
export type AttributeTallies = Readonly<Record<ReportAttribute, ReadonlyMap<string, Tally>>>;

/** Tallies the people of every group. */
export function countAttributes(kinds: AttributeKinds, median_tier: number): AttributeTallies {
  return mapAttributes(
    (attribute) =>
      new Map(
        listGroups(attribute).map((group) => [group, countKinds(kinds[attribute][group] ?? {}, median_tier)]),
      ),
  );
}

/** Counts all people by column. Everybody is in one group of each attribute. */
export function sumColumns(tallies: AttributeTallies): ColumnCounts {
  const all = sumTallies(tallies.gender.values());
  return mapColumns((column) => countColumn(all, columnBits.get(column)!));
}

/** Combined groups show the stages only: two margins and three outcomes at once would leave next to nothing. */
const combinedBundles = bundles.slice(0, biasStages.length);

/** The columns of each group that are shown, by attribute. */
export type AttributeColumns = Readonly<Record<ReportAttribute, ShownColumns>>;

/** An earlier report: what it shows, and the people of each group by the columns that they are in now and were in then. */
export type EarlierReport = { readonly shown: AttributeColumns; readonly tallies: AttributeTallies };

/**
 * Decides which columns of which groups are shown, by attribute, as bits, beside what earlier reports have shown. A group without people is shown as such: nobody
 * has stated it. With many people and earlier reports it computes for a second, so other requests come in between.
 */
export async function hideColumns(
  tallies: AttributeTallies,
  earlier: readonly EarlierReport[] = [],
): Promise<AttributeColumns> {
  const hide = async (attribute: Exclude<ReportAttribute, 'gender_ethnicity'>) => {
    await pauseForIo();
    const groups = selectPresent(tallies[attribute]);
    return hideChanges(
      { groups, shown: hideSmallGroups(groups, bundles, smallest_cell), bundles },
      earlier.map((each) => ({ shown: each.shown[attribute], groups: each.tallies[attribute] })),
      smallest_cell,
    );
  };
  const [gender, ethnicity] = [await hide('gender'), await hide('ethnicity')];
  const [age_band, disability] = [await hide('age_band'), await hide('disability')];
  await pauseForIo();
  return {
    gender,
    age_band,
    ethnicity,
    disability,
    gender_ethnicity: hideCells(tallies, { rows: gender, columns: ethnicity }, earlier),
  };
}

function hideCells(
  tallies: AttributeTallies,
  margins: Margins,
  earlier: readonly EarlierReport[],
): ShownColumns {
  const cells = listCells(tallies).filter(
    ({ row, column }) => margins.rows.has(row) && margins.columns.has(column),
  );
  const shown = hideIntersections(cells, margins, combinedBundles, smallest_cell);
  const isSafe = areChangesLarge(
    { shown, margins },
    earlier.map((each) => ({
      shown: each.shown.gender_ethnicity,
      margins: { rows: each.shown.gender, columns: each.shown.ethnicity },
      cells: listCells(each.tallies),
    })),
    smallest_cell,
  );
  return isSafe ? shown : new Map(cells.map(({ group }) => [group, 0]));
}

function listCells({ gender_ethnicity }: AttributeTallies): readonly Cell[] {
  return [...gender_ethnicity].map(([group, tally]) => {
    const [row = '', column = ''] = group.split(intersection_joint);
    return { group, row, column, tally };
  });
}

/** Reads which columns of which groups a report shows; groups without people show none. */
export function readShownColumns(shown: ShownAttributes): AttributeColumns {
  return mapAttributes(
    (attribute) =>
      new Map(
        Object.entries(shown[attribute])
          .filter(([, numbers]) => Object.values(numbers).some((number) => number !== 0))
          .map(([group, numbers]) => [
            group,
            columns.reduce(
              (bits, column) => bits | (numbers[column] === null ? 0 : columnBits.get(column)!),
              0,
            ),
          ]),
      ),
  );
}

/** Counts the numbers that a report shows. */
export function countShownNumbers(shown: ShownAttributes): number {
  return Object.values(readShownColumns(shown)).reduce(
    (sum, groups) => [...groups.values()].reduce((total, bits) => total + listBits(bits).length, sum),
    0,
  );
}

function selectPresent(groups: ReadonlyMap<string, Tally>): ReadonlyMap<string, Tally> {
  return new Map([...groups].filter(([, tally]) => countColumn(tally, columnBits.get('matched')!) > 0));
}

/** The numbers that are shown, the groups in the order of the answers. */
export function showNumbers(
  tallies: AttributeTallies,
  shown: Readonly<Record<ReportAttribute, ShownColumns>>,
): ShownAttributes {
  return mapAttributes((attribute) =>
    Object.fromEntries(
      [...tallies[attribute]].map(([group, tally]) => {
        const bits = shown[attribute].get(group);
        return [
          group,
          mapColumns((column) => {
            const bit = columnBits.get(column)!;
            if (bits === undefined) return 0;
            return bits & bit ? countColumn(tally, bit) : null;
          }),
        ];
      }),
    ),
  );
}
