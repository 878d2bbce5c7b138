import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { ReviewCounts } from '#modules/reviews';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { biasFlags, compareGroups } from './compare-groups.ts';
import { hideAllSmallCells } from './release-rules.ts';
import {
  biasStages,
  listGroups,
  not_stated,
  reportAttributes,
  selections,
  smallest_cell,
  type BiasRelease,
  type BiasStage,
  type YearRelease,
} from './rules.ts';
import { limits, method } from './statements.ts';

const people = Type.Integer({ minimum: 0, description: 'A number of people.', examples: [120] });
const share = (description: string, example: number) =>
  field(nullable(Type.Number({ minimum: 0 })), description, example);

const groupWire = closedObject({
  group: field(
    Type.String(),
    'A group, or not_stated. Two groups together are joined by a plus sign.',
    'woman',
  ),
  people: field(nullable(people), 'The people of the group in the stage before; null if not shown.', 120),
  selected: field(nullable(people), 'Those of them who were selected; null if not shown.', 54),
  rate: share('The share that was selected, from 0 to 1; null if not shown.', 0.45),
  impact_ratio: share('The rate divided by the highest rate; null if not compared.', 0.9),
  below_four_fifths: field(
    nullable(Type.Boolean()),
    'Whether the impact ratio is below four fifths; null if not compared.',
    false,
  ),
  is_excluded: field(
    Type.Boolean(),
    'Whether the group is not compared because it has less than two in a hundred of all people.',
    false,
  ),
  ratio_from: share('The lower end of the 95 % confidence interval of the impact ratio; null if none.', 0.71),
  ratio_to: share('The upper end of that interval; null if none.', 1.14),
  fisher_p: share(
    'The two-sided probability of Fisher’s exact test against the group with the highest rate.',
    0.41,
  ),
  mid_p: share('The same with the mid-p correction, which is less conservative.', 0.37),
  holm_p: share('Fisher’s probability, adjusted by Holm for the comparisons of this table.', 0.82),
  detectable_ratio: share(
    'The minimum detectable ratio: one that a test with so many people would find with a probability of 80 %. Null if none.',
    0.68,
  ),
  flag: field(
    nullable(Type.Enum(biasFlags)),
    'significant: unlikely to be chance. ratio_only: below four fifths, and could be chance. insufficient: too few people to tell. none: neither. Null if not compared.',
    'insufficient',
  ),
});

const stages = closedObject({
  matched: people,
  rated_strong: people,
  above_median: people,
  org_interested: people,
  member_accepted: people,
  placed: people,
});

const oversight = closedObject({
  human_decisions: field(
    people,
    'People in whom an administrator of the organisation was interested: the system decides on nobody.',
    54,
  ),
  reviews_requested: field(Type.Integer(), 'Human reviews that members have asked for in the year.', 4),
  reviews_upheld: field(Type.Integer(), 'Those of them after which the decision stayed.', 2),
  reviews_changed: field(Type.Integer(), 'Those of them after which it was another.', 1),
  reviews_open: field(Type.Integer(), 'Those that wait for an answer.', 1),
  reviews_overdue: field(Type.Integer(), 'Those that wait after their due date.', 0),
  reviews_answered_late: field(Type.Integer(), 'Those that were answered after their due date.', 0),
  reviews_withdrawn: field(
    Type.Integer(),
    'Those that the member has withdrawn, with the consent or alone.',
    0,
  ),
});

/** The bias report of an organisation about a year. Its numbers are about groups, and never about one person. */
export const biasReportWire = closedObject(
  {
    org_id: uuid,
    org_name: field(Type.String(), 'The name of the organisation.', 'River Murray Trust'),
    year: field(Type.Integer(), 'The calendar year (UTC) in which the matches were made.', 2026),
    counted_on: field(
      Type.String({ format: 'date' }),
      'The date on which people were counted.',
      '2026-03-02',
    ),
    smallest_cell: field(Type.Integer(), 'Numbers that are about fewer people are not shown.', smallest_cell),
    totals: field(stages, 'All people, once each, by the stages that they have reached.'),
    provenance: field(
      closedObject({
        purpose: field(Type.String(), 'What the report is, and what it is not.', 'Input of an audit.'),
        taxonomy: field(Type.String(), 'The traits that were measured.', 'MVP-20'),
        parameter_version: field(
          nullable(Type.String()),
          'The version of the item parameters whose results were matched; null if there has been only one.',
          null,
        ),
        policy_version: field(
          nullable(Type.Integer()),
          'The version of the fit policy when people were counted, which the model card describes; null if unknown.',
          1,
        ),
        median_tier: field(
          nullable(Type.String()),
          'The tier of the person in the middle; above_median counts those above it. Null without people.',
          'moderate',
        ),
        input_hash: field(
          Type.String(),
          'The SHA-256 of all numbers that are shown, by which two copies of a report can be compared.',
          '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        ),
      }),
      'Where the numbers come from.',
    ),
    coverage: field(
      Type.Array(
        closedObject({
          attribute: field(Type.Enum(reportAttributes), 'What members have said about themselves.', 'gender'),
          stated: field(nullable(people), 'The people who have said it; null if not shown.', 90),
          not_stated: field(nullable(people), 'The people who have not; null if not shown.', 30),
        }),
      ),
      'How many people the comparisons are about.',
    ),
    oversight: field(oversight, 'What people have decided, and the human reviews of the year.'),
    trend: field(
      Type.Array(
        closedObject({
          year: field(Type.Integer(), 'A calendar year.', 2025),
          attribute: field(Type.Enum(reportAttributes), 'What members have said about themselves.', 'gender'),
          selection: field(Type.Enum(biasStages), 'For which stage people were selected.', 'org_interested'),
          lowest_ratio: field(Type.Number(), 'The lowest impact ratio of that year.', 0.84),
        }),
      ),
      'The lowest impact ratio of each comparison in this year and up to four years before, as far as reports were made.',
    ),
    comparisons: field(
      Type.Array(
        closedObject({
          attribute: field(Type.Enum(reportAttributes), 'What members have said about themselves.', 'gender'),
          selection: field(
            Type.Enum(biasStages),
            'The stage for which people were selected.',
            'org_interested',
          ),
          of: field(Type.Enum(biasStages), 'The stage from which they were selected.', 'matched'),
          decided_by: field(Type.Enum(['service', 'organisation', 'member']), 'Who decided.', 'organisation'),
          groups: Type.Array(groupWire, { description: 'The groups, in a fixed order.' }),
        }),
      ),
      'Each selection by each attribute.',
    ),
    method: field(Type.Array(Type.String()), 'How the numbers are computed.', [method[0]!]),
    limits: field(Type.Array(Type.String()), 'What the numbers do not say.', [limits[0]!]),
  },
  { $id: 'BiasReport' },
);

export type BiasReport = Static<typeof biasReportWire>;

/** What a report is built from. */
export type BiasSources = {
  readonly org_id: string;
  readonly org_name: string;
  readonly year: number;
  readonly release: BiasRelease;
  /** The releases of this year and of years before it. */
  readonly releases: readonly YearRelease[];
  readonly reviews: ReviewCounts;
};

const purpose =
  'Input of an audit. This is not the independent audit that some laws ask for, because the service has counted and computed it itself.';

/** Builds the report from the counts that may be seen. All that it compares follows from the numbers that it shows. */
export function toBiasReport({
  org_id,
  org_name,
  year,
  release,
  releases,
  reviews,
}: BiasSources): BiasReport {
  const { released_at, counts } = release;
  return {
    org_id,
    org_name,
    year,
    counted_on: released_at.toISOString().slice(0, 10),
    smallest_cell,
    totals: counts.totals,
    provenance: {
      purpose,
      taxonomy: 'MVP-20',
      parameter_version: counts.parameter_version,
      policy_version: counts.policy_version,
      median_tier: counts.median_tier,
      input_hash: hashShownNumbers(release),
    },
    coverage: listCoverage(release),
    comparisons: listComparisons(release),
    oversight: toOversight(counts.totals.org_interested, reviews),
    trend: releases.flatMap((each) => listLowestRatios(each)),
    method: [...method],
    limits: [...limits],
  };
}

/** With a hash of the numbers that are not shown, a reader could try all possible ones and learn them. */
function hashShownNumbers({ released_at, counts }: BiasRelease): string {
  const shown = {
    counted_at: released_at.toISOString(),
    totals: counts.totals,
    shown: hideAllSmallCells(counts),
  };
  return createHash('sha256').update(writeCanonicalJson(shown)).digest('hex');
}

type Comparisons = BiasReport['comparisons'];

function listComparisons({ counts }: Pick<BiasRelease, 'counts'>): Comparisons {
  const shown = hideAllSmallCells(counts);
  return reportAttributes.flatMap((attribute) =>
    selections.map((each) => ({
      attribute,
      ...each,
      groups: [...compareGroups(shown[attribute], each, counts.totals[each.of])],
    })),
  );
}

function listCoverage({ counts }: Pick<BiasRelease, 'counts'>): BiasReport['coverage'] {
  const shown = hideAllSmallCells(counts);
  return reportAttributes
    .filter((attribute) => listGroups(attribute).includes(not_stated))
    .map((attribute) => {
      const unknown = shown[attribute][not_stated]!.matched;
      return {
        attribute,
        stated: unknown === null ? null : counts.totals.matched - unknown,
        not_stated: unknown,
      };
    });
}

function toOversight(human_decisions: number, reviews: ReviewCounts): BiasReport['oversight'] {
  return {
    human_decisions,
    reviews_requested: reviews.requested,
    reviews_upheld: reviews.upheld,
    reviews_changed: reviews.changed,
    reviews_open: reviews.open,
    reviews_overdue: reviews.overdue,
    reviews_answered_late: reviews.answered_late,
    reviews_withdrawn: reviews.withdrawn + reviews.ended,
  };
}

/** Lists the lowest impact ratio of each comparison of a year that has one. */
function listLowestRatios(release: YearRelease): BiasReport['trend'] {
  return listComparisons(release).flatMap(({ attribute, selection, groups }) => {
    const ratios = groups.flatMap(({ impact_ratio }) => impact_ratio ?? []);
    return ratios.length === 0
      ? []
      : [
          {
            year: release.year,
            attribute,
            selection: selection satisfies BiasStage,
            lowest_ratio: Math.min(...ratios),
          },
        ];
  });
}
