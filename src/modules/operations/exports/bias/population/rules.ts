import type { Tally } from '../disclosure/count-bases.ts';
import { hideSmallGroups, type ShownColumns } from '../disclosure/hide-groups.ts';
import { hideIntersections } from '../disclosure/hide-intersections.ts';
import { findGroup } from '../counting/kinds.ts';
import {
  intersection_joint,
  listGroups,
  mapAttributes,
  reportAttributes,
  smallest_cell,
  type ReportAttribute,
} from '../rules.ts';
import type { ItemClass } from './item-functioning.ts';

/** A number of members of each group. */
export type GroupPeople = Readonly<Record<ReportAttribute, Readonly<Record<string, number>>>>;

/** The same where it is shown. */
export type ShownPeople = Readonly<Record<ReportAttribute, Readonly<Record<string, number | null>>>>;

/** How precisely a group is measured. */
export type GroupPrecision = {
  readonly attribute: ReportAttribute;
  readonly group: string;
  /** The mean standard error of the traits, in standard deviations of the population. */
  readonly standard_error: number;
  /** How many items were answered on average. */
  readonly items: number;
};

/** An item that works differently for a group. */
export type FlaggedItem = {
  readonly item_id: string;
  readonly trait: string;
  readonly item_class: Exclude<ItemClass, 'small'>;
  readonly effect: number;
};

/** How the items work for a group, compared with the largest group of the attribute. */
export type GroupItems = {
  readonly attribute: ReportAttribute;
  readonly group: string;
  readonly reference: string;
  readonly compared: number;
  readonly moderate: number;
  readonly large: number;
  /** Those that are not small, the largest differences first. */
  readonly items: readonly FlaggedItem[];
};

/** Everybody who was assessed and can be found, and how well they were measured. */
export type Population = {
  readonly people: GroupPeople;
  readonly precision: readonly GroupPrecision[];
  readonly items: readonly GroupItems[];
};

/** The count of a day. All organisations see the same. */
export type PopulationRelease = { readonly released_at: Date; readonly counts: Population };

/** Members of the same groups, as the database counts them. */
export type CountedMembers = {
  readonly gender: string | null;
  readonly age_band: string | null;
  readonly ethnicity: string | null;
  readonly disability: string | null;
  readonly people: number;
};

/** Adds up members by group. */
export function addUpMembers(rows: readonly CountedMembers[]): GroupPeople {
  return mapAttributes((attribute) => {
    const groups: Record<string, number> = Object.fromEntries(
      listGroups(attribute).map((group) => [group, 0]),
    );
    for (const row of rows) groups[findGroup(attribute, row)]! += row.people;
    return groups;
  });
}

/** Numbers of all members are multiples of this, so that they cannot be subtracted from those of an organisation, or from a later count. */
const rounding_people = 10;

/** A smaller group is not shown among all members, because rounding would change its rate by more than a tenth. */
const smallest_group = 5 * rounding_people;

/** Shows the numbers that are large enough, to the nearest ten. */
export function showPeople(people: GroupPeople): ShownPeople {
  const tallies = mapAttributes(
    (attribute) =>
      new Map(
        Object.entries(people[attribute])
          .filter(([, count]) => count > 0)
          .map(([group, count]): [string, Tally] => [group, new Map([[1, count]])]),
      ),
  );
  const hide = (attribute: ReportAttribute) => hideSmallGroups(tallies[attribute], [1], smallest_group);
  const [rows, columns] = [hide('gender'), hide('ethnicity')];
  const cells = listGroups('gender_ethnicity')
    .map((group) => {
      const [row = '', column = ''] = group.split(intersection_joint);
      return { group, row, column, tally: tallies.gender_ethnicity.get(group) ?? new Map<number, number>() };
    })
    .filter(({ row, column }) => rows.has(row) && columns.has(column));
  const combined = hideIntersections(cells, { rows, columns }, [1], smallest_group);
  return mapAttributes((attribute) => {
    const shown: ShownColumns =
      attribute === 'gender_ethnicity' ? combined : attribute === 'gender' ? rows : hide(attribute);
    // Beside a hidden group, that nobody is in the others would tell in which everybody is.
    const margins =
      attribute === 'gender_ethnicity' ? [...rows.values(), ...columns.values()] : shown.values();
    const empty = [...margins].includes(0) ? null : 0;
    return Object.fromEntries(
      listGroups(attribute).map((group) => {
        const bits = shown.get(group);
        return [
          group,
          bits === undefined ? empty : bits === 0 ? null : roundPeople(people[attribute][group]!),
        ];
      }),
    );
  });
}

function roundPeople(people: number): number {
  return Math.round(people / rounding_people) * rounding_people;
}

/** Adds up all members, to the nearest ten; null if they are too few. */
export function sumPeople({ gender }: GroupPeople): number | null {
  const sum = Object.values(gender).reduce((total, people) => total + people, 0);
  return sum < smallest_group ? null : roundPeople(sum);
}

/** Says whether it is time to count all members again: in the next month (UTC). */
export function isPopulationDue(released_at: Date, now: Date): boolean {
  return released_at.toISOString().slice(0, 7) !== now.toISOString().slice(0, 7);
}

/** Says whether a new count may replace the one that was seen: nobody, or at least ten people differ in each attribute. */
export function mayReplacePopulation(before: GroupPeople, after: GroupPeople): boolean {
  return reportAttributes.every((attribute) => {
    const changed = listGroups(attribute).reduce(
      (sum, group) => sum + Math.abs((after[attribute][group] ?? 0) - (before[attribute][group] ?? 0)),
      0,
    );
    return changed === 0 || changed >= smallest_cell;
  });
}
