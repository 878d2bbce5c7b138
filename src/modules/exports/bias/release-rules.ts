import type { IdentityAttribute } from '#modules/self-identification';
import { hideIntersections } from './intersections.ts';
import {
  biasStages,
  hideSmallCells,
  listGroups,
  nobody,
  reportAttributes,
  smallest_cell,
  type BiasCounts,
  type BiasRelease,
  type BiasStage,
  type ReportAttribute,
  type ShownStages,
  type StageCounts,
} from './rules.ts';

/** Shows the numbers of every attribute that are large enough, the groups in the order of the answers. */
export function hideAllSmallCells({ totals, attributes }: BiasCounts): ShownAttributes {
  const hideAttribute = (attribute: IdentityAttribute) => {
    // A stored object has no order of its own.
    const groups = listGroups(attribute).map((group) => [group, attributes[attribute][group]!] as const);
    return hideSmallCells(totals, Object.fromEntries(groups));
  };
  const [gender, ethnicity] = [hideAttribute('gender'), hideAttribute('ethnicity')];
  const combined = listGroups('gender_ethnicity').map(
    (group) => [group, attributes.gender_ethnicity[group] ?? nobody] as const,
  );
  return {
    gender,
    age_band: hideAttribute('age_band'),
    ethnicity,
    disability: hideAttribute('disability'),
    gender_ethnicity: hideIntersections(Object.fromEntries(combined), {
      totals,
      rows: gender,
      columns: ethnicity,
    }),
  };
}

/** The numbers of every attribute that may be shown. */
export type ShownAttributes = Readonly<Record<ReportAttribute, Readonly<Record<string, ShownStages>>>>;

/** Fills what the counts of an earlier version of the report do not have with zeros, of which nothing is shown. */
export function completeCounts(counts: BiasCounts): BiasCounts {
  const complete = (stored: Partial<StageCounts> | undefined) => ({ ...nobody, ...stored });
  const attributes = reportAttributes.map((attribute) => {
    const stored: Readonly<Record<string, StageCounts>> | undefined = counts.attributes[attribute];
    return [
      attribute,
      Object.fromEntries(listGroups(attribute).map((group) => [group, complete(stored?.[group])])),
    ];
  });
  return {
    totals: complete(counts.totals),
    attributes: Object.fromEntries(attributes) as BiasCounts['attributes'],
    parameter_version: counts.parameter_version ?? null,
    policy_version: counts.policy_version ?? null,
    median_tier: counts.median_tier ?? null,
  };
}

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
  return reportAttributes.every((attribute) =>
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
