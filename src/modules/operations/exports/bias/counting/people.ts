import {
  biasOutcomes,
  biasStages,
  outcomeCells,
  type BiasStage,
  type Column,
  type StatedGroups,
} from '../rules.ts';

/** The tiers, the lowest first. */
export const tiers = ['developing', 'moderate', 'strong', 'exceptional'] as const;

const strong_tier = tiers.indexOf('strong');

/** The stages that follow one another; ratings are beside them. */
const furthestStages = ['matched', 'org_interested', 'member_accepted', 'placed'] as const;

/** People of the same groups, stage, tier and outcomes, as the database counts them. */
export type CountedPeople = StatedGroups & {
  /** How far they have come: the index of the stage, from matched to placed. */
  readonly furthest: number;
  /** The best tier of their matches. */
  readonly tier: number;
  /** For each outcome the cell, from 1 on; 0 if it is not known. */
  readonly placed: number;
  readonly stayed: number;
  readonly rated_well: number;
  readonly people: number;
};

/** The number of people for each set of columns that somebody is in. A set is a bit for each column. */
export type People = ReadonlyMap<number, number>;

const columns: readonly Column[] = [
  ...biasStages,
  ...biasOutcomes.flatMap((outcome) => outcomeCells.map((cell): Column => `${outcome}:${cell}`)),
];

export function buildSet(some: readonly Column[]): number {
  return some.reduce((set, column) => set | (1 << columns.indexOf(column)), 0);
}

export const everybody = buildSet(['matched']);

/** People of the same groups who are in the same columns. */
export type SortedPeople = StatedGroups & { readonly columns: number; readonly people: number };

export function sortPeople(rows: readonly CountedPeople[], median_tier: number): readonly SortedPeople[] {
  return rows.map((row) => ({ ...row, columns: listColumns(row, median_tier) }));
}

export function groupByColumns(rows: readonly SortedPeople[]): People {
  const people = new Map<number, number>();
  for (const row of rows) people.set(row.columns, (people.get(row.columns) ?? 0) + row.people);
  return people;
}

function listColumns(row: CountedPeople, median_tier: number): number {
  const stages: BiasStage[] = furthestStages.slice(0, row.furthest + 1);
  if (row.tier >= strong_tier) stages.push('rated_strong');
  if (row.tier > median_tier) stages.push('above_median');
  const cells = biasOutcomes.flatMap((outcome) => {
    const cell = outcomeCells[row[outcome] - 1];
    return cell === undefined ? [] : [`${outcome}:${cell}` as const];
  });
  return buildSet([...stages, ...cells]);
}

/** Adds up people. */
export function mergePeople(parts: readonly People[]): People {
  const merged = new Map<number, number>();
  for (const part of parts)
    for (const [set, people] of part) merged.set(set, (merged.get(set) ?? 0) + people);
  return merged;
}

export function countIn(people: People, columns_asked: number): number {
  return countBetween(people, columns_asked, 0);
}

/** Counts the people who are in any column of one set and in none of the other, or the other way round. */
export function countBetween(people: People, one: number, other: number): number {
  let count = 0;
  for (const [set, each] of people) if (((set & one) !== 0) !== ((set & other) !== 0)) count += each;
  return count;
}

/** Finds the tier of the person in the middle; with an even number of people, the lower of the two. -1 without people. */
export function findMedianTier(rows: readonly Pick<CountedPeople, 'tier' | 'people'>[]): number {
  const byTier = tiers.map((_, tier) =>
    rows.filter((row) => row.tier === tier).reduce((sum, { people }) => sum + people, 0),
  );
  const total = byTier.reduce((sum, people) => sum + people, 0);
  let before = 0;
  return byTier.findIndex((people) => (before += people) > Math.floor((total - 1) / 2) && total > 0);
}
