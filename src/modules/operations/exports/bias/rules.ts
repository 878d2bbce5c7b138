import { identityAnswers, type IdentityAttribute } from '#modules/people/self-identification';

/** What is counted: people, once each, by how far the furthest of their matches has come. */
export const biasStages = [
  'matched',
  'rated_strong',
  'above_median',
  'org_interested',
  'member_accepted',
  'placed',
] as const;

export type BiasStage = (typeof biasStages)[number];

/**
 * What may have become of people: of those who accepted, who was placed; of those placed, who was still there on day 180; of those with feedback, whose
 * mean rating is four or more.
 */
export const biasOutcomes = ['placed', 'stayed', 'rated_well'] as const;

export type BiasOutcome = (typeof biasOutcomes)[number];

/** The people with a known outcome: a good one or another, and rated strong or exceptional by the service or lower. */
export const outcomeCells = ['good_strong', 'other_strong', 'good_lower', 'other_lower'] as const;

export type OutcomeCell = (typeof outcomeCells)[number];

/** What people are counted in: a stage, or a cell of an outcome. */
export type Column = BiasStage | `${BiasOutcome}:${OutcomeCell}`;

/** What the report compares: each attribute, and one pair of them together. */
export const reportAttributes = [
  'gender',
  'age_band',
  'ethnicity',
  'disability',
  'gender_ethnicity',
] as const;

export type ReportAttribute = IdentityAttribute | 'gender_ethnicity';

/** Builds something for each attribute. */
export function mapAttributes<Value>(
  read: (attribute: ReportAttribute) => Value,
): Readonly<Record<ReportAttribute, Value>> {
  return Object.fromEntries(reportAttributes.map((attribute) => [attribute, read(attribute)])) as Record<
    ReportAttribute,
    Value
  >;
}

/** The group of those who have not stated an attribute. It is counted and shown, but not compared. */
export const not_stated = 'not_stated';

/** The groups of an attribute, in the order of the report. */
export function listGroups(attribute: ReportAttribute): readonly string[] {
  if (attribute !== 'gender_ethnicity') return [...identityAnswers[attribute], not_stated];
  return listGroups('gender').flatMap((gender) =>
    listGroups('ethnicity').map((ethnicity) => nameIntersection(gender, ethnicity)),
  );
}

/** The small groups of an attribute together. They are counted and shown, but not compared. */
export const other_groups = 'other_groups';

/** What somebody has said about themselves; null is no answer. */
export type StatedGroups = Readonly<Record<IdentityAttribute, string | null>>;

/** Names the group that somebody belongs to. */
export function findGroup(attribute: ReportAttribute, stated: StatedGroups): string {
  if (attribute !== 'gender_ethnicity') return stated[attribute] ?? not_stated;
  return nameIntersection(findGroup('gender', stated), findGroup('ethnicity', stated));
}

/** Formats the name of a combined group: `woman+asian`. */
export function nameIntersection(row: string, column: string): string {
  return `${row}${intersection_joint}${column}`;
}

/** What separates the two groups in the name of a combined one. */
export const intersection_joint = '+';

/** The smallest number of people that is shown, and the smallest difference of two numbers. */
export const smallest_cell = 10;

/** The smallest group that is shown for itself: only of so many people can ten be selected and ten not. */
export const smallest_group = 2 * smallest_cell;

/** A report is about at least so many people, because it compares at least two groups. */
export const smallest_report = 2 * smallest_group;

/** So many people who are in no report yet allow one before the end of the year: a fifth of them is a group. */
export const early_report = 5 * smallest_group;

/** The selections that the report compares: from which stage to which, and who decides. */
export const selections = [
  { selection: 'matched', of: 'assessed', decided_by: 'service' },
  { selection: 'rated_strong', of: 'matched', decided_by: 'service' },
  { selection: 'above_median', of: 'matched', decided_by: 'service' },
  { selection: 'org_interested', of: 'matched', decided_by: 'organisation' },
  { selection: 'member_accepted', of: 'org_interested', decided_by: 'member' },
  { selection: 'placed', of: 'matched', decided_by: 'organisation' },
] as const satisfies readonly {
  readonly selection: BiasStage;
  readonly of: BiasStage | 'assessed';
  readonly decided_by: 'service' | 'organisation' | 'member';
}[];
