import { identityAnswers, type IdentityAttribute } from '#modules/self-identification';

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

/** A number of people for each stage. */
export type StageCounts = Readonly<Record<BiasStage, number>>;

/** The people of an organisation in a year: all of them, and each group of each attribute, those who have not stated it included. */
export type BiasCounts = {
  readonly totals: StageCounts;
  readonly attributes: Readonly<Record<ReportAttribute, Readonly<Record<string, StageCounts>>>>;
  /** The version of the item parameters whose results were matched when people were counted; null if unknown. */
  readonly parameter_version: string | null;
  /** The version of the fit policy that ranked jobs when people were counted; null if unknown. */
  readonly policy_version: number | null;
  /** The tier of the person in the middle, from which `above_median` follows; null without people. */
  readonly median_tier: string | null;
};

/** The counts behind the report that an organisation has seen last. */
export type BiasRelease = { readonly released_at: Date; readonly counts: BiasCounts };

/** A release, and the year that it is about. */
export type YearRelease = BiasRelease & { readonly year: number };

/** What the report compares: each attribute, and one pair of them together. */
export const reportAttributes = [
  'gender',
  'age_band',
  'ethnicity',
  'disability',
  'gender_ethnicity',
] as const;

export type ReportAttribute = IdentityAttribute | 'gender_ethnicity';

/** The group of those who have not stated an attribute. It is counted and shown, but not compared. */
export const not_stated = 'not_stated';

/** The groups of an attribute, in the order of the report. */
export function listGroups(attribute: ReportAttribute): readonly string[] {
  if (attribute !== 'gender_ethnicity') return [...identityAnswers[attribute], not_stated];
  return listGroups('gender').flatMap((gender) =>
    listGroups('ethnicity').map((ethnicity) => nameIntersection(gender, ethnicity)),
  );
}

/** Formats the name of a combined group: `woman+asian`. */
export function nameIntersection(row: string, column: string): string {
  return `${row}${intersection_joint}${column}`;
}

/** What separates the two groups in the name of a combined one. */
export const intersection_joint = '+';

/** The smallest number of people behind a number that is shown, and behind every number that follows from those shown. */
export const smallest_cell = 10;

/** For each stage, the stages that everybody in it has also reached. */
const supersets: Readonly<Record<BiasStage, readonly BiasStage[]>> = {
  matched: [],
  rated_strong: ['matched'],
  above_median: ['matched'],
  org_interested: ['matched'],
  member_accepted: ['org_interested', 'matched'],
  placed: ['member_accepted', 'org_interested', 'matched'],
};

/**
 * Lists the stages that a stage is compared with: those that everybody in it has also reached, and for the stage above the median the one of
 * strong ratings. The tiers are in one order, so one of these two is part of the other. With the same total, they are the same people.
 */
export function listRelated(stage: BiasStage, totals: StageCounts): readonly BiasStage[] {
  if (stage !== 'above_median' || totals.above_median === totals.rated_strong) return supersets[stage];
  return [...supersets[stage], 'rated_strong'];
}

/** A number for each stage, or null where it is not shown. */
export type ShownStages = Readonly<Record<BiasStage, number | null>>;

type ShownTable = Record<string, Record<BiasStage, number | null>>;

/**
 * Decides which numbers of one attribute are shown. The totals are known to the organisation, so a number that is hidden alone would follow from
 * the others. A number is shown if at least `smallest_cell` people are behind it, behind its difference to the total, and behind its
 * difference to each wider stage. Further numbers are hidden, the smallest first, until those that are hidden are two groups or more and
 * together `smallest_cell` people or more, for the stage itself and for its difference to each wider stage. A group without people is shown as
 * such: it says only that nobody has stated it.
 */
export function hideSmallCells(
  totals: StageCounts,
  groups: Readonly<Record<string, StageCounts>>,
): Readonly<Record<string, ShownStages>> {
  const present = Object.entries(groups).filter(([, { matched }]) => matched > 0);
  const shown: ShownTable = Object.fromEntries(present.map(([group]) => [group, { ...nothingShown }]));
  for (const stage of biasStages) {
    for (const [group, counts] of present)
      if (isLargeEnough(totals, counts, shown[group]!, stage)) shown[group]![stage] = counts[stage];
    while (isDerivable(totals, shown, stage)) hideSmallest(shown, stage);
  }
  return Object.fromEntries(Object.entries(groups).map(([group, counts]) => [group, shown[group] ?? counts]));
}

/** A group without people. */
export const nobody: StageCounts = {
  matched: 0,
  rated_strong: 0,
  above_median: 0,
  org_interested: 0,
  member_accepted: 0,
  placed: 0,
};

/** A group of which nothing is shown. */
export const nothingShown: ShownStages = {
  matched: null,
  rated_strong: null,
  above_median: null,
  org_interested: null,
  member_accepted: null,
  placed: null,
};

function isLargeEnough(
  totals: StageCounts,
  counts: StageCounts,
  shown: ShownStages,
  stage: BiasStage,
): boolean {
  // Without the number of people in the group, no rate could be shown.
  if (stage !== 'matched' && shown.matched === null) return false;
  const isLarge = (count: number, total: number) => count >= smallest_cell && total - count >= smallest_cell;
  return (
    isLarge(counts[stage], totals[stage]) &&
    listRelated(stage, totals).every(
      (wider) =>
        shown[wider] === null ||
        isLarge(Math.abs(counts[wider] - counts[stage]), Math.abs(totals[wider] - totals[stage])),
    )
  );
}

/** Whether somebody could compute a small number from the totals and the numbers that are shown. */
function isDerivable(totals: StageCounts, table: ShownTable, stage: BiasStage): boolean {
  const rows = Object.values(table);
  const shown = rows.filter((row) => row[stage] !== null);
  if (shown.length === 0) return false;
  const isPartSmall = (part: readonly Record<BiasStage, number | null>[], rest: number) =>
    part.length > 0 && part.length < rows.length && (rows.length - part.length < 2 || rest < smallest_cell);
  const rest = shown.reduce((sum, row) => sum - row[stage]!, totals[stage]);
  if (isPartSmall(shown, rest)) return true;
  return listRelated(stage, totals).some((wider) => {
    const both = shown.filter((row) => row[wider] !== null);
    const difference = both.reduce(
      (sum, row) => sum - Math.abs(row[wider]! - row[stage]!),
      Math.abs(totals[wider] - totals[stage]),
    );
    return isPartSmall(both, difference);
  });
}

function hideSmallest(table: ShownTable, stage: BiasStage): void {
  const smallest = Object.values(table)
    .filter((row) => row[stage] !== null)
    .reduce((least, row) => (row[stage]! < least[stage]! ? row : least));
  smallest[stage] = null;
  if (stage === 'matched') Object.assign(smallest, nothingShown);
}

/** The selections that the report compares: from which stage to which, and who decides. */
export const selections = [
  { selection: 'rated_strong', of: 'matched', decided_by: 'service' },
  { selection: 'above_median', of: 'matched', decided_by: 'service' },
  { selection: 'org_interested', of: 'matched', decided_by: 'organisation' },
  { selection: 'member_accepted', of: 'org_interested', decided_by: 'member' },
  { selection: 'placed', of: 'matched', decided_by: 'organisation' },
] as const satisfies readonly {
  readonly selection: BiasStage;
  readonly of: BiasStage;
  readonly decided_by: 'service' | 'organisation' | 'member';
}[];
