import { identityAnswers, identityAttributes, type IdentityAttribute } from '#modules/self-identification';

/** What is counted: people, once each, by how far the furthest of their matches has come. */
export const biasStages = ['matched', 'rated_strong', 'org_interested', 'member_accepted', 'placed'] as const;

export type BiasStage = (typeof biasStages)[number];

/** A number of people for each stage. */
export type StageCounts = Readonly<Record<BiasStage, number>>;

/** The people of an organisation in a year: all of them, and each group of each attribute, those who have not stated it included. */
export type BiasCounts = {
  readonly totals: StageCounts;
  readonly attributes: Readonly<Record<IdentityAttribute, Readonly<Record<string, StageCounts>>>>;
};

/** The group of those who have not stated an attribute. It is counted and shown, but not compared. */
export const not_stated = 'not_stated';

/** The groups of an attribute, in the order of the report. */
export function listGroups(attribute: IdentityAttribute): readonly string[] {
  return [...identityAnswers[attribute], not_stated];
}

/** The smallest number of people behind a number that is shown, and behind every number that follows from those shown. */
export const smallest_cell = 10;

/** For each stage, the stages that everybody in it has also reached. */
const supersets: Readonly<Record<BiasStage, readonly BiasStage[]>> = {
  matched: [],
  rated_strong: ['matched'],
  org_interested: ['matched'],
  member_accepted: ['org_interested', 'matched'],
  placed: ['member_accepted', 'org_interested', 'matched'],
};

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

const nothingShown: ShownStages = {
  matched: null,
  rated_strong: null,
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
    supersets[stage].every(
      (wider) =>
        shown[wider] === null || isLarge(counts[wider] - counts[stage], totals[wider] - totals[stage]),
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
  return supersets[stage].some((wider) => {
    const both = shown.filter((row) => row[wider] !== null);
    const difference = both.reduce(
      (sum, row) => sum - (row[wider]! - row[stage]!),
      totals[wider] - totals[stage],
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
  { selection: 'org_interested', of: 'matched', decided_by: 'organisation' },
  { selection: 'member_accepted', of: 'org_interested', decided_by: 'member' },
  { selection: 'placed', of: 'matched', decided_by: 'organisation' },
] as const satisfies readonly {
  readonly selection: BiasStage;
  readonly of: BiasStage;
  readonly decided_by: 'service' | 'organisation' | 'member';
}[];

/** One group in one selection. Null is what is not shown, or does not exist. */
export type GroupRate = {
  readonly group: string;
  readonly people: number | null;
  readonly selected: number | null;
  readonly rate: number | null;
  /** The rate divided by the highest rate of the groups that are compared. */
  readonly impact_ratio: number | null;
  readonly below_four_fifths: boolean | null;
};

/**
 * Computes selection rates and impact ratios (29 CFR 1607.4(D)): the rate of a group is the share of its people who were selected, and its
 * impact ratio is its rate divided by the highest rate. Groups are compared if at least two of them are shown; those who have not stated the
 * attribute are not compared.
 */
export function computeRates(
  groups: Readonly<Record<string, ShownStages>>,
  { selection, of }: { readonly selection: BiasStage; readonly of: BiasStage },
): readonly GroupRate[] {
  const rates = Object.entries(groups).map(([group, shown]) => {
    const [people, selected] = [shown[of], shown[selection]];
    return { group, people, selected, rate: computeRate(selected, people) };
  });
  const compared = rates.filter(({ group, rate }) => group !== not_stated && rate !== null);
  const highest = Math.max(...compared.map(({ rate }) => rate!));
  return rates.map((row) => {
    const isCompared = compared.length >= 2 && compared.includes(row) && highest > 0;
    // Cross-multiplied, so that a rate of exactly four fifths is not below it for want of precision.
    const ratio = isCompared ? row.rate! / highest : null;
    return {
      ...row,
      rate: roundShare(row.rate),
      impact_ratio: roundShare(ratio),
      below_four_fifths: ratio === null ? null : ratio < four_fifths - rounding,
    };
  });
}

const four_fifths = 0.8;
/** Far below the smallest difference that numbers of people can make. */
const rounding = 1e-12;

function computeRate(selected: number | null, people: number | null): number | null {
  return selected === null || people === null || people === 0 ? null : selected / people;
}

/** Shares have four decimals. */
function roundShare(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}

/** Shows the numbers of every attribute that are large enough, the groups in the order of the answers. */
export function hideAllSmallCells({
  totals,
  attributes,
}: BiasCounts): Readonly<Record<IdentityAttribute, Readonly<Record<string, ShownStages>>>> {
  const hideAttribute = (attribute: IdentityAttribute) => {
    // A stored object has no order of its own.
    const groups = listGroups(attribute).map((group) => [group, attributes[attribute][group]!] as const);
    return hideSmallCells(totals, Object.fromEntries(groups));
  };
  return {
    gender: hideAttribute('gender'),
    age_band: hideAttribute('age_band'),
    ethnicity: hideAttribute('ethnicity'),
    disability: hideAttribute('disability'),
  };
}

/** The counts behind the report that an organisation has seen last. */
export type BiasRelease = { readonly released_at: Date; readonly counts: BiasCounts };

const day_ms = 86_400_000;

/** Says whether it is time for another report: in the next month (UTC), or after a day if the last one showed no group. */
export function isReleaseDue({ released_at, counts }: BiasRelease, now: Date): boolean {
  if (now.getTime() - released_at.getTime() < day_ms) return false;
  if (!hasShownGroup(counts)) return true;
  return released_at.toISOString().slice(0, 7) !== now.toISOString().slice(0, 7);
}

function hasShownGroup(counts: BiasCounts): boolean {
  return Object.values(hideAllSmallCells(counts)).some((groups) =>
    Object.values(groups).some(({ matched }) => matched !== null && matched > 0),
  );
}

/**
 * Says whether new counts may replace those that were seen. An organisation that acts on one person and compares two reports must not learn to
 * which group the person belongs, so in every stage that both reports show, nobody or at least `smallest_cell` people differ.
 */
export function mayReplace(before: BiasCounts, after: BiasCounts): boolean {
  const [seen, next] = [hideAllSmallCells(before), hideAllSmallCells(after)];
  return identityAttributes.every((attribute) =>
    biasStages.every((stage) => {
      const isShown = (table: Readonly<Record<string, ShownStages>>) =>
        Object.values(table).some((row) => row[stage] !== null && row[stage] > 0);
      if (!isShown(seen[attribute]) || !isShown(next[attribute])) return true;
      const changed = countChanges(before.attributes[attribute], after.attributes[attribute], stage);
      return changed === 0 || changed >= smallest_cell;
    }),
  );
}

function countChanges(
  before: Readonly<Record<string, StageCounts>>,
  after: Readonly<Record<string, StageCounts>>,
  stage: BiasStage,
): number {
  const groups = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...groups].reduce(
    (sum, group) => sum + Math.abs((after[group]?.[stage] ?? 0) - (before[group]?.[stage] ?? 0)),
    0,
  );
}
