import type { Tally } from '../disclosure/count-bases.ts';
import {
  biasOutcomes,
  biasStages,
  columns,
  listGroups,
  mapAttributes,
  nameIntersection,
  not_stated,
  outcomeCells,
  type ReportAttribute,
} from '../rules.ts';

/** The tiers, the lowest first. */
export const tiers = ['developing', 'moderate', 'strong', 'exceptional'] as const;

const strong_tier = tiers.indexOf('strong');

/** The stages that follow one another; ratings are beside them. */
const furthestStages = ['matched', 'org_interested', 'member_accepted', 'placed'] as const;

/** People of the same groups and of the same kind, as the database counts them. */
export type CountedPeople = {
  readonly gender: string | null;
  readonly age_band: string | null;
  readonly ethnicity: string | null;
  readonly disability: string | null;
  /** How far they have come: the place in the stages from matched to placed. */
  readonly furthest: number;
  /** The best tier of their matches. */
  readonly tier: number;
  /** For each outcome the cell, from 1 on; 0 if it is not known. */
  readonly placed: number;
  readonly stayed: number;
  readonly rated_well: number;
  readonly people: number;
};

type CountedKind = Pick<CountedPeople, 'furthest' | 'tier' | 'placed' | 'stayed' | 'rated_well'>;

/** The people of each kind. A kind is five digits: the furthest stage, the best tier, and the cell of each outcome. */
export type Kinds = Readonly<Record<string, number>>;

/** The people of each group of each attribute, by kind. */
export type AttributeKinds = Readonly<Record<ReportAttribute, Readonly<Record<string, Kinds>>>>;

/** Adds up the rows of the database by group and kind. */
export function addUpKinds(rows: readonly CountedPeople[]): AttributeKinds {
  return mapAttributes((attribute) => {
    const groups: Record<string, Record<string, number>> = Object.fromEntries(
      listGroups(attribute).map((group) => [group, {}]),
    );
    for (const row of rows) {
      const kinds = groups[findGroup(attribute, row)]!;
      const kind = formatKind(row);
      kinds[kind] = (kinds[kind] ?? 0) + row.people;
    }
    return groups;
  });
}

/** Names the group that somebody belongs to. */
export function findGroup(
  attribute: ReportAttribute,
  stated: Pick<CountedPeople, 'gender' | 'age_band' | 'ethnicity' | 'disability'>,
): string {
  if (attribute === 'gender_ethnicity')
    return nameIntersection(findGroup('gender', stated), findGroup('ethnicity', stated));
  return stated[attribute] ?? not_stated;
}

/** Formats the kind of a person. */
export function formatKind({ furthest, tier, placed, stayed, rated_well }: CountedKind): string {
  return [furthest, tier, placed, stayed, rated_well].join('');
}

/** Finds the tier of the person in the middle; with an even number of people, the lower of the two. -1 without people. */
export function findMedianTier(kinds: Iterable<Kinds>): number {
  const byTier = tiers.map(() => 0);
  for (const each of kinds)
    for (const [kind, people] of Object.entries(each)) byTier[Number(kind[1])]! += people;
  const total = byTier.reduce((sum, people) => sum + people, 0);
  let before = 0;
  return byTier.findIndex((people) => (before += people) > Math.floor((total - 1) / 2) && total > 0);
}

/** The columns as bits. */
export const columnBits = new Map(columns.map((column, place) => [column, 1 << place]));

/** What is shown together: each stage, and the four cells of each outcome. */
export const bundles: readonly number[] = [
  ...biasStages.map((stage) => columnBits.get(stage)!),
  ...biasOutcomes.map((outcome) =>
    outcomeCells.reduce((bits, cell) => bits | columnBits.get(`${outcome}:${cell}`)!, 0),
  ),
];

/** Counts people by the columns that they are in. */
export function countKinds(kinds: Kinds, median_tier: number): Tally {
  const tally = new Map<number, number>();
  for (const [kind, people] of Object.entries(kinds)) {
    const bits = listColumns(kind, median_tier);
    tally.set(bits, (tally.get(bits) ?? 0) + people);
  }
  return tally;
}

/** Lists the columns that people of a kind are in, as bits. */
export function listColumns(kind: string, median_tier: number): number {
  const [furthest = 0, tier = 0, ...cells] = Array.from(kind, Number);
  let bits = 0;
  for (const stage of furthestStages.slice(0, furthest + 1)) bits |= columnBits.get(stage)!;
  if (tier >= strong_tier) bits |= columnBits.get('rated_strong')!;
  if (tier > median_tier) bits |= columnBits.get('above_median')!;
  for (const [place, outcome] of biasOutcomes.entries()) {
    const cell = outcomeCells[(cells[place] ?? 0) - 1];
    if (cell !== undefined) bits |= columnBits.get(`${outcome}:${cell}`)!;
  }
  return bits;
}
