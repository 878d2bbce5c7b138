import { countColumn, isAboutEnough, type Tally } from '../disclosure/count-bases.ts';
import type { GapDriver } from '../drivers/rules.ts';
import {
  biasStages,
  columns,
  listGroups,
  mapAttributes,
  mapColumns,
  reportAttributes,
  smallest_cell,
  type BiasStage,
  type Column,
  type ColumnCounts,
  type ReportAttribute,
} from '../rules.ts';
import {
  hideColumns,
  countAttributes,
  countShownNumbers,
  showNumbers,
  sumColumns,
  type EarlierReport,
  type ShownAttributes,
} from './hide-numbers.ts';
import { hideZeros } from './hide-zeros.ts';
import { addUpKinds, columnBits, findMedianTier, countKinds, tiers, type AttributeKinds } from './kinds.ts';

/** The people of an organisation in a year, and what of their numbers is shown. */
export type BiasCounts = {
  readonly kinds: AttributeKinds;
  /** The people of each column. The organisation knows them from its own lists. */
  readonly totals: ColumnCounts;
  readonly shown: ShownAttributes;
  /** The version of the item parameters whose results were matched when people were counted; null if unknown. */
  readonly parameter_version: string | null;
  /** The version of the fit policy that ranked jobs when people were counted; null if unknown. */
  readonly policy_version: number | null;
  /** The tier of the person in the middle, from which `above_median` follows; null without people. */
  readonly median_tier: string | null;
  /** The traits behind the gaps that are marked. */
  readonly drivers: readonly GapDriver[];
};

/** The counts of a report that was made before kinds were counted. */
type EarlierCounts = Omit<Partial<BiasCounts>, 'totals'> & {
  readonly totals: Readonly<Partial<Record<BiasStage, number>>>;
  readonly attributes: Readonly<
    Partial<Record<ReportAttribute, Readonly<Record<string, Partial<Record<BiasStage, number>>>>>>
  >;
};

export type StoredCounts = BiasCounts | EarlierCounts;

/** The counts behind the report that an organisation has seen last. */
export type BiasRelease<Counts = BiasCounts> = { readonly released_at: Date; readonly counts: Counts };

/** A release as it is stored: the reports of a year have numbers. */
export type StoredRelease = BiasRelease<StoredCounts> & { readonly number: number };

/** So often are the people of a year counted; after that, the report stays. */
export const releases_max = 24;

/** A release, and the year that it is about. */
export type YearRelease<Counts = BiasCounts> = BiasRelease<Counts> & { readonly year: number };

/** Builds the counts of a report, with what is shown of them beside what earlier reports have shown. */
export async function buildCounts(
  kinds: AttributeKinds,
  versions: Pick<BiasCounts, 'parameter_version' | 'policy_version'>,
  earlier: readonly EarlierReport[] = [],
): Promise<BiasCounts> {
  const median = findMedianTier(Object.values(kinds.gender));
  const tallies = countAttributes(kinds, median);
  return {
    kinds,
    totals: sumColumns(tallies),
    shown: hideZeros(showNumbers(tallies, await hideColumns(tallies, earlier))),
    ...versions,
    median_tier: tiers[median] ?? null,
    drivers: [],
  };
}

/** Completes the counts of an earlier version of the report: its totals stay, and its groups are hidden until people are counted again. */
export function completeCounts(stored: StoredCounts): BiasCounts {
  if (!isEarlier(stored)) return { ...stored, shown: hideZeros(sortGroups(stored.shown)) };
  const totals: Readonly<Partial<Record<Column, number>>> = stored.totals;
  const nothing = mapColumns(() => null);
  return {
    kinds: addUpKinds([]),
    totals: mapColumns((column) => totals[column] ?? 0),
    shown: mapAttributes((attribute) =>
      Object.fromEntries(listGroups(attribute).map((group) => [group, nothing])),
    ),
    parameter_version: stored.parameter_version ?? null,
    policy_version: stored.policy_version ?? null,
    median_tier: stored.median_tier ?? null,
    drivers: [],
  };
}

/** A stored object has no order of its own. Nobody was in a group that reports did not have then. */
function sortGroups(shown: ShownAttributes): ShownAttributes {
  const nobody = mapColumns(() => 0);
  return mapAttributes((attribute) =>
    Object.fromEntries(listGroups(attribute).map((group) => [group, shown[attribute][group] ?? nobody])),
  );
}

function isEarlier(stored: StoredCounts): stored is EarlierCounts {
  return 'attributes' in stored;
}

const day_ms = 86_400_000;

/** Says whether it is time for another report: in the next month (UTC), or after a day if the last one showed no group. */
export function isReleaseDue(
  { released_at, counts, number }: Pick<StoredRelease, 'released_at' | 'counts' | 'number'>,
  now: Date,
): boolean {
  if (now.getTime() - released_at.getTime() < day_ms || number >= releases_max) return false;
  if (!hasShownGroups(counts)) return true;
  return released_at.toISOString().slice(0, 7) !== now.toISOString().slice(0, 7);
}

/** Says whether a report has shown a number about a group. */
export function hasShownGroups(counts: StoredCounts): boolean {
  if (isEarlier(counts)) return false;
  return Object.values(counts.shown).some((groups) =>
    Object.values(groups).some(({ matched }) => matched !== null && matched > 0),
  );
}

/**
 * Says whether new counts may replace those that were seen. An organisation that acts on one person and compares two reports must not learn to
 * which group the person belongs. So every number that follows from the differences of the columns that both reports show is about nobody, or
 * about at least `smallest_cell` people.
 */
export function mayReplace(before: StoredCounts, after: BiasCounts): boolean {
  if (isEarlier(before)) return mayReplaceEarlier(before, after);
  // A report that shows less would be worse than an older one.
  if (countShownNumbers(after.shown) < countShownNumbers(before.shown)) return false;
  return reportAttributes.every((attribute) => {
    const common = columns.filter(
      (column) =>
        isColumnShown(before.shown, attribute, column) && isColumnShown(after.shown, attribute, column),
    );
    const median = tiers.indexOf(after.median_tier as (typeof tiers)[number]);
    const changes = countKinds(countChanges(before.kinds[attribute], after.kinds[attribute]), median);
    const bits = common.reduce((sum, column) => sum | columnBits.get(column)!, 0);
    return (
      isAboutEnough(changes, changes, bits, smallest_cell) &&
      // With another median, another set of people is above it.
      (before.median_tier === after.median_tier ||
        !common.includes('above_median') ||
        isMedianChangeLarge(before, after, attribute))
    );
  });
}

function isColumnShown(shown: ShownAttributes, attribute: ReportAttribute, column: Column): boolean {
  return Object.values(shown[attribute]).some((row) => row[column] !== null && row[column] > 0);
}

/** Counts how the people of each kind have changed, over all groups: who has left one group for another is counted in both. */
function countChanges(
  before: Readonly<Record<string, Readonly<Record<string, number>>>>,
  after: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Readonly<Record<string, number>> {
  const changes: Record<string, number> = {};
  for (const group of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [seen, next] = [before[group] ?? {}, after[group] ?? {}];
    for (const kind of new Set([...Object.keys(seen), ...Object.keys(next)]))
      changes[kind] = (changes[kind] ?? 0) + Math.abs((next[kind] ?? 0) - (seen[kind] ?? 0));
  }
  return changes;
}

function isMedianChangeLarge(before: BiasCounts, after: BiasCounts, attribute: ReportAttribute): boolean {
  const groups = Object.keys(after.kinds[attribute]);
  const count = (counts: BiasCounts, group: string) => {
    const median = tiers.indexOf(counts.median_tier as (typeof tiers)[number]);
    return countColumn(
      countKinds(counts.kinds[attribute][group] ?? {}, median),
      columnBits.get('above_median')!,
    );
  };
  const changed = groups.reduce(
    (sum, group) => sum + Math.abs(count(after, group) - count(before, group)),
    0,
  );
  return changed === 0 || changed >= smallest_cell;
}

/** The earlier report may have shown every stage of every group. */
function mayReplaceEarlier({ attributes }: EarlierCounts, after: BiasCounts): boolean {
  const median = tiers.indexOf(after.median_tier as (typeof tiers)[number]);
  return reportAttributes.every((attribute) => {
    const seen = attributes[attribute];
    if (seen === undefined) return true;
    return biasStages.every((stage) => {
      const changed = listGroups(attribute).reduce((sum, group) => {
        const tally: Tally = countKinds(after.kinds[attribute][group] ?? {}, median);
        const count = countColumn(tally, columnBits.get(stage)!);
        return sum + Math.abs(count - (seen[group]?.[stage] ?? 0));
      }, 0);
      return changed === 0 || changed >= smallest_cell;
    });
  });
}
