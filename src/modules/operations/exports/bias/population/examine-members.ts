import type { startGroupExamination } from '#modules/measurement/traits';
import { identityAttributes } from '#modules/people/self-identification';
import { smallest_cell } from '../rules.ts';
import type { GroupItems, GroupPrecision } from './rules.ts';

export type GroupExamination = Awaited<ReturnType<typeof startGroupExamination>>;
type GroupComparison = Awaited<ReturnType<GroupExamination['compareGroups']>>[number];

/** The answers and the result of a member who has said something about themselves. */
export type MeasuredMember = {
  readonly member_id: string;
  readonly gender: string | null;
  readonly age_band: string | null;
  readonly ethnicity: string | null;
  readonly disability: string | null;
  readonly item_ids: readonly string[];
  readonly options: readonly number[];
  /** Of the twenty traits, in their order. */
  readonly variance: readonly number[];
};

/** Sums of members by attribute and group: people, standard errors, items. */
export type PrecisionSums = Map<string, { people: number; standard_error: number; items: number }>;

/** Adds a page of members to the sums and to the examination of the statements. */
export function addMembers(
  members: readonly MeasuredMember[],
  precision: PrecisionSums,
  examination: GroupExamination,
): void {
  for (const member of members) {
    const groups = Object.fromEntries(
      identityAttributes.flatMap((attribute) => {
        const group = member[attribute];
        return group === null ? [] : [[attribute, group]];
      }),
    );
    for (const [attribute, group] of Object.entries(groups))
      addPrecision(precision, `${attribute} ${group}`, member);
    const answers = member.item_ids.map((item_id, place) => ({ item_id, option: member.options[place]! }));
    examination.addPerson(groups, answers);
  }
}

function addPrecision(precision: PrecisionSums, key: string, { variance, item_ids }: MeasuredMember): void {
  const sum = precision.get(key) ?? { people: 0, standard_error: 0, items: 0 };
  precision.set(key, sum);
  sum.people++;
  sum.standard_error += variance.reduce((total, each) => total + Math.sqrt(each), 0) / variance.length;
  sum.items += item_ids.length;
}

/** Computes the mean precision of each group of at least ten. */
export function summarisePrecision(precision: PrecisionSums): readonly GroupPrecision[] {
  return [...precision]
    .filter(([, { people }]) => people >= smallest_cell)
    .map(([key, { people, standard_error, items }]) => ({
      ...splitKey(key),
      standard_error: Math.round((standard_error / people) * 100) / 100,
      items: Math.round((items / people) * 10) / 10,
    }))
    .toSorted(compareKeys);
}

const items_listed_max = 10;

/** Summarises how items work for each group, compared with the largest one of the attribute. */
export function summariseItems(comparisons: readonly GroupComparison[]): readonly GroupItems[] {
  return comparisons.map(toGroupItems).toSorted(compareKeys);
}

function toGroupItems({ attribute, group, reference, compared, items }: GroupComparison): GroupItems {
  return {
    ...splitKey(`${attribute} ${group}`),
    reference,
    compared,
    moderate: items.filter(({ item_class }) => item_class === 'moderate').length,
    large: items.filter(({ item_class }) => item_class === 'large').length,
    items: items
      .slice(0, items_listed_max)
      .map(({ item_id, trait, item_class, effect }) => ({ item_id, trait, item_class, effect })),
  };
}

type Keyed = Pick<GroupItems, 'attribute' | 'group'>;

function splitKey(key: string): Keyed {
  const [attribute, group] = key.split(' ') as [GroupItems['attribute'], string];
  return { attribute, group };
}

function compareKeys(one: Keyed, other: Keyed): number {
  const place = ({ attribute }: Keyed) => identityAttributes.findIndex((each) => each === attribute);
  return place(one) - place(other) || (one.group < other.group ? -1 : 1);
}
