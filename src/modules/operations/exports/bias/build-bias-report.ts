import type { ListedPolicyUse } from '#modules/matching/learning';
import type { Review, ReviewCounts } from '#modules/matching/reviews';
import type { WaitingPeople } from './counting/store-people.ts';
import { canPublish, describeNext } from './publication-rules.ts';
import { biasStages, smallest_cell, smallest_group } from './rules.ts';
import { limits, method, purpose } from './statements.ts';
import type { PublishedReport } from './store.ts';
import type { BiasReport, PublishedCounts } from './wire.ts';

/** What a report is built from. */
export type BiasSources = {
  readonly org_id: string;
  readonly org_name: string;
  readonly year: number;
  readonly now: Date;
  /** The published report; undefined if there is none yet. */
  readonly published: PublishedReport<PublishedCounts> | undefined;
  readonly waiting: WaitingPeople;
  /** The last reports of this year and of years before it. */
  readonly earlier: readonly PublishedReport<PublishedCounts>[];
  readonly reviews: ReviewCounts;
  /** The latest reviews of the year. */
  readonly log: readonly Review[];
  readonly policies: readonly ListedPolicyUse[];
};

/** What is said before a report is published. */
const nothingCounted: PublishedCounts = {
  totals: { assessed: null, ...countNothing() },
  provenance: {
    purpose,
    taxonomy: 'MVP-20',
    parameter_version: null,
    policy_version: null,
    median_tier: null,
    input_hash: '',
  },
  coverage: [],
  comparisons: [],
  outcomes: [],
  measurement: { measured_on: null, precision: [], items: [] },
  drivers: [],
};

function countNothing(): Omit<PublishedCounts['totals'], 'assessed'> {
  return Object.fromEntries(biasStages.map((stage) => [stage, null])) as Omit<
    PublishedCounts['totals'],
    'assessed'
  >;
}

/** Builds the report: what was published, and what is known of the year today. */
export function buildBiasReport(sources: BiasSources): BiasReport {
  const { org_id, org_name, year, now, published, waiting, earlier } = sources;
  return {
    org_id,
    org_name,
    year,
    number: published?.number ?? null,
    counted_on: published ? formatDate(published.published_at) : null,
    smallest_cell,
    smallest_group,
    next_report: {
      is_possible: canPublish(year, waiting, now),
      people: waiting.people,
      words: describeNext(year, waiting, now),
    },
    ...(published?.counts ?? nothingCounted),
    policy_changes: sources.policies.map((each) => ({
      ...each,
      used_on: formatDate(each.used_on),
      regressions: [...each.regressions],
    })),
    oversight: toOversight(published?.counts.totals.org_interested ?? null, sources),
    trend: earlier.flatMap(listLowestRatios),
    method: [...method],
    limits: [...limits],
  };
}

function toOversight(
  human_decisions: number | null,
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

function listLowestRatios({ year, counts }: PublishedReport<PublishedCounts>): BiasReport['trend'] {
  return counts.comparisons.flatMap(({ attribute, selection, groups }) => {
    const ratios = groups.flatMap(({ impact_ratio }) => impact_ratio ?? []);
    return ratios.length === 0 ? [] : [{ year, attribute, selection, lowest_ratio: Math.min(...ratios) }];
  });
}

function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}
