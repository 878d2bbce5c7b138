import type { ItemClass } from '@tessera/psychometrics';
import { findGroup, listGroups, mapAttributes, type ReportAttribute, type StatedGroups } from '../rules.ts';

export type GroupPeople = Readonly<Record<ReportAttribute, Readonly<Record<string, number>>>>;

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
export type CountedMembers = StatedGroups & { readonly people: number };

/** Adds up members by group. */
export function countGroupPeople(rows: readonly CountedMembers[]): GroupPeople {
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
export const smallest_population = 5 * rounding_people;

/** Counts the members of a group, to the nearest ten; null if they are too few, or were not counted yet. */
export function countAssessed(
  population: PopulationRelease | undefined,
  attribute: ReportAttribute,
  group: string,
): number | null {
  return roundPeople(population?.counts.people[attribute][group]);
}

/** Counts all members, to the nearest ten; null if they are too few, or were not counted yet. */
export function countAllAssessed(population: PopulationRelease | undefined): number | null {
  return roundPeople(population && sumMembers(population.counts.people));
}

function roundPeople(people = 0): number | null {
  return people < smallest_population ? null : Math.round(people / rounding_people) * rounding_people;
}

function sumMembers({ gender }: GroupPeople): number {
  return Object.values(gender).reduce((total, people) => total + people, 0);
}

/** Says whether all members are counted again: in another month (UTC), when there are at least fifty more or fewer than were counted. */
export function isPopulationDue(seen: PopulationRelease, people: GroupPeople, now: Date): boolean {
  const isOtherMonth = seen.released_at.toISOString().slice(0, 7) !== now.toISOString().slice(0, 7);
  return isOtherMonth && Math.abs(sumMembers(people) - sumMembers(seen.counts.people)) >= smallest_population;
}
