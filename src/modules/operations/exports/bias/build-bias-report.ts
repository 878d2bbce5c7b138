import { createHash } from 'node:crypto';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { ListedPolicyUse } from '#modules/matching/learning';
import type { Review, ReviewCounts } from '#modules/matching/reviews';
import { compareGroups } from './compare-groups.ts';
import { compareOutcomes } from './compare-outcomes.ts';
import type { BiasRelease, YearRelease } from './counting/release-rules.ts';
import { showPeople, sumPeople, type PopulationRelease } from './population/rules.ts';
import {
  biasOutcomes,
  biasStages,
  listGroups,
  not_stated,
  reportAttributes,
  selections,
  smallest_cell,
} from './rules.ts';
import { limits, method } from './statements.ts';
import type { BiasReport } from './wire.ts';

/** What a report is built from. */
export type BiasSources = {
  readonly org_id: string;
  readonly org_name: string;
  readonly year: number;
  readonly now: Date;
  readonly release: BiasRelease;
  /** The releases of this year and of years before it. */
  readonly releases: readonly YearRelease[];
  /** The last count of all members; undefined before the first one. */
  readonly population: PopulationRelease | undefined;
  readonly reviews: ReviewCounts;
  /** The latest reviews of the year. */
  readonly log: readonly Review[];
  readonly policies: readonly ListedPolicyUse[];
};

const purpose =
  'Input of an audit. This is not the independent audit that some laws ask for, because the service has counted and computed it itself.';

/** Builds the report from the counts that may be seen. All that it compares follows from the numbers that it shows. */
export function buildBiasReport(sources: BiasSources): BiasReport {
  const { org_id, org_name, year, release, releases, population } = sources;
  const { released_at, counts } = release;
  return {
    org_id,
    org_name,
    year,
    counted_on: formatDate(released_at),
    smallest_cell,
    totals: {
      assessed: population ? sumPeople(population.counts.people) : null,
      ...pickStages(counts.totals),
    },
    provenance: {
      purpose,
      taxonomy: 'MVP-20',
      parameter_version: counts.parameter_version,
      policy_version: counts.policy_version,
      median_tier: counts.median_tier,
      input_hash: hashShownNumbers(release, population),
    },
    coverage: listCoverage(release),
    comparisons: listComparisons(release, population),
    outcomes: listOutcomes(release),
    measurement: {
      measured_on: population ? formatDate(population.released_at) : null,
      precision: population ? [...population.counts.precision] : [],
      items: population ? population.counts.items.map((each) => ({ ...each, items: [...each.items] })) : [],
    },
    drivers: counts.drivers.map((each) => ({ ...each, traits: [...each.traits] })),
    policy_changes: sources.policies.map((each) => ({
      ...each,
      used_on: formatDate(each.used_on),
      regressions: [...each.regressions],
    })),
    oversight: toOversight(counts.totals.org_interested, sources),
    trend: releases.flatMap((each) => listLowestRatios(each)),
    method: [...method],
    limits: [...limits],
  };
}

function pickStages(totals: BiasRelease['counts']['totals']): Omit<BiasReport['totals'], 'assessed'> {
  return Object.fromEntries(biasStages.map((stage) => [stage, totals[stage]])) as Omit<
    BiasReport['totals'],
    'assessed'
  >;
}

/** With a hash of the numbers that are not shown, a reader could try all possible ones and learn them. */
function hashShownNumbers(
  { released_at, counts }: BiasRelease,
  population: PopulationRelease | undefined,
): string {
  const shown = {
    counted_at: released_at.toISOString(),
    totals: pickStages(counts.totals),
    shown: counts.shown,
    drivers: counts.drivers,
    population: population && {
      counted_at: population.released_at.toISOString(),
      people: showPeople(population.counts.people),
      precision: population.counts.precision,
      items: population.counts.items,
    },
  };
  return createHash('sha256')
    .update(writeCanonicalJson(JSON.parse(JSON.stringify(shown))))
    .digest('hex');
}

type Comparisons = BiasReport['comparisons'];

function listComparisons(
  { counts }: Pick<BiasRelease, 'counts'>,
  population?: PopulationRelease,
): Comparisons {
  const people = population && showPeople(population.counts.people);
  const assessed = population ? (sumPeople(population.counts.people) ?? 0) : 0;
  return reportAttributes.flatMap((attribute) => {
    const groups = Object.fromEntries(
      Object.entries(counts.shown[attribute]).map(([group, shown]) => [
        group,
        { ...shown, assessed: people?.[attribute][group] ?? null },
      ]),
    );
    return selections.map((each) => ({
      attribute,
      ...each,
      groups: [...compareGroups(groups, each, each.of === 'assessed' ? assessed : counts.totals[each.of])],
    }));
  });
}

/** Combined groups have no numbers by outcome. */
function listOutcomes({ counts }: BiasRelease): BiasReport['outcomes'] {
  return reportAttributes
    .filter((attribute) => attribute !== 'gender_ethnicity')
    .flatMap((attribute) =>
      biasOutcomes.map((outcome) => {
        const { groups, ...gaps } = compareOutcomes(counts.shown[attribute], outcome);
        return { attribute, outcome, ...gaps, groups: [...groups] };
      }),
    );
}

function listCoverage({ counts }: Pick<BiasRelease, 'counts'>): BiasReport['coverage'] {
  return reportAttributes
    .filter((attribute) => listGroups(attribute).includes(not_stated))
    .map((attribute) => {
      const unknown = counts.shown[attribute][not_stated]!.matched;
      return {
        attribute,
        stated: unknown === null ? null : counts.totals.matched - unknown,
        not_stated: unknown,
      };
    });
}

function toOversight(
  human_decisions: number,
  { reviews, log, now }: Pick<BiasSources, 'reviews' | 'log' | 'now'>,
): BiasReport['oversight'] {
  return {
    human_decisions,
    reviews_requested: reviews.requested,
    reviews_upheld: reviews.upheld,
    reviews_changed: reviews.changed,
    reviews_open: reviews.open,
    reviews_overdue: reviews.overdue,
    reviews_answered_late: reviews.answered_late,
    reviews_withdrawn: reviews.withdrawn + reviews.ended,
    log: log.map(({ requested_at, due_at, status, outcome, closed_at }) => ({
      requested_on: formatDate(requested_at),
      // A request is due when its last day ends.
      due_on: formatDate(new Date(due_at.getTime() - 1)),
      status,
      outcome,
      closed_on: closed_at && formatDate(closed_at),
      is_late: (status === 'open' || status === 'answered') && (closed_at ?? now) >= due_at,
    })),
  };
}

/** Lists the lowest impact ratio of each comparison of a year that has one. */
function listLowestRatios(release: YearRelease): BiasReport['trend'] {
  return listComparisons(release).flatMap(({ attribute, selection, groups }) => {
    const ratios = groups.flatMap(({ impact_ratio }) => impact_ratio ?? []);
    return ratios.length === 0
      ? []
      : [{ year: release.year, attribute, selection, lowest_ratio: Math.min(...ratios) }];
  });
}

function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}
