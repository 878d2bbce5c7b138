import { countColumn, sumTallies, type Tally } from '../disclosure/count-bases.ts';
import { hideSmallGroups, type ShownColumns } from '../disclosure/hide-groups.ts';
import { hideIntersections } from '../disclosure/hide-intersections.ts';
import {
  biasStages,
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

/** Decides which columns of which groups are shown, by attribute, as bits. A group without people is shown as such: nobody has stated it. */
export function hideColumns(tallies: AttributeTallies): Readonly<Record<ReportAttribute, ShownColumns>> {
  const hide = (attribute: Exclude<ReportAttribute, 'gender_ethnicity'>) =>
    hideSmallGroups(selectPresent(tallies[attribute]), bundles, smallest_cell);
  const [gender, ethnicity] = [hide('gender'), hide('ethnicity')];
  const cells = [...tallies.gender_ethnicity].map(([group, tally]) => {
    const [row = '', column = ''] = group.split(intersection_joint);
    return { group, row, column, tally };
  });
  return {
    gender,
    age_band: hide('age_band'),
    ethnicity,
    disability: hide('disability'),
    gender_ethnicity: hideIntersections(
      cells.filter(({ row, column }) => gender.has(row) && ethnicity.has(column)),
      { rows: gender, columns: ethnicity },
      combinedBundles,
      smallest_cell,
    ),
  };
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
