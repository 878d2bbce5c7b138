import { itemClasses } from '@tessera/psychometrics';
import { Type, type Static } from 'typebox';
import { useActions } from '#modules/matching/learning';
import { reviewOutcomes, reviewStatuses } from '#modules/matching/reviews';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { biasFlags } from './compare-groups.ts';
import { biasOutcomes, biasStages, reportAttributes, smallest_cell, smallest_group } from './rules.ts';
import { limits, method } from './statements.ts';

const people = Type.Integer({ minimum: 0, description: 'A number of people.', examples: [120] });
const share = (description: string, example: number) =>
  field(nullable(Type.Number({ minimum: 0 })), description, example);

const groupWire = closedObject({
  group: field(
    Type.String(),
    'A group, not_stated, or other_groups: the small groups together. Two groups together are joined by a plus sign.',
    'woman',
  ),
  people: field(nullable(people), 'The people of the group in the stage before; null if not shown.', 120),
  selected: field(
    nullable(people),
    'Those of them who were selected; null if they or the others are fewer than ten, or if that would follow.',
    54,
  ),
  rate: share('The share that was selected, from 0 to 1; null if their number is not shown.', 0.45),
  impact_ratio: share('The rate divided by the highest rate; null if not compared.', 0.9),
  below_four_fifths: field(
    nullable(Type.Boolean()),
    'Whether the impact ratio is below four fifths; null if not compared.',
    false,
  ),
  may_include_others: field(
    Type.Boolean(),
    'Whether people of groups that are not shown may be counted here, because they are too few for a group of their own.',
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

const comparedStages = ['assessed', ...biasStages] as const;
const attribute = field(Type.Enum(reportAttributes), 'What members have said about themselves.', 'gender');
const describeDate = (description: string, example: string) =>
  field(Type.String({ format: 'date' }), description, example);

const counted = field(nullable(people), 'People; null if no report was published yet.', 120);

const stages = closedObject({
  assessed: field(
    nullable(people),
    'All members of the service who were assessed and can be found, rounded to tens; null if they were not counted yet, or are too few.',
    4200,
  ),
  matched: counted,
  rated_strong: counted,
  above_median: counted,
  org_interested: counted,
  member_accepted: counted,
  placed: counted,
});

const oversight = closedObject({
  human_decisions: field(
    nullable(people),
    'People in whom an administrator of the organisation was interested: the system decides on nobody. Null if no report was published yet.',
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
  log: field(
    Type.Array(
      closedObject({
        requested_on: describeDate('The date of the request (UTC).', '2026-03-02'),
        due_on: describeDate('The last date on which an answer is in time.', '2026-03-16'),
        status: field(Type.Enum(reviewStatuses), 'What has become of it.', 'answered'),
        outcome: field(
          nullable(Type.Enum(reviewOutcomes)),
          'What was decided; null without an answer.',
          'upheld',
        ),
        closed_on: field(
          nullable(Type.String({ format: 'date' })),
          'When it was answered or ended; null while open.',
          '2026-03-09',
        ),
        is_late: field(
          Type.Boolean(),
          'Whether it is open after the due date, or was answered after it.',
          false,
        ),
      }),
    ),
    'The human reviews of the year, the latest 100 first.',
  ),
});

const outcomeWire = closedObject({
  attribute,
  outcome: field(
    Type.Enum(biasOutcomes),
    'placed: of those who accepted. stayed: still there on day 180, of those placed. rated_well: a mean rating of 4 or more, of those with feedback.',
    'stayed',
  ),
  true_positive_gap: share(
    'How often people with a good outcome were rated strong or exceptional: the highest rate of a group less the lowest; null if not compared.',
    0.06,
  ),
  true_positive_p: share(
    'The probability of such a gap by chance, adjusted by Holm; null if not compared.',
    0.4,
  ),
  false_positive_gap: share('The same gap among people with another outcome.', 0.04),
  false_positive_p: share('The probability of that gap by chance.', 0.7),
  groups: Type.Array(
    closedObject({
      group: field(Type.String(), 'A group, or not_stated.', 'woman'),
      people: field(nullable(people), 'The people with a known outcome; null if not shown.', 80),
      good: field(nullable(people), 'Those of them with a good one; null if not shown.', 60),
      true_positive_rate: share('The share rated strong or exceptional, of those with a good outcome.', 0.7),
      false_positive_rate: share('The same share of those with another outcome.', 0.45),
      good_of_strong: share('The share with a good outcome, of those rated strong or exceptional.', 0.82),
      good_of_lower: share('The same share of those rated lower.', 0.62),
    }),
    { description: 'The groups, in a fixed order.' },
  ),
});

const measurementWire = closedObject({
  measured_on: field(
    nullable(Type.String({ format: 'date' })),
    'When all members were counted and measured; null if not yet.',
    '2026-03-01',
  ),
  precision: field(
    Type.Array(
      closedObject({
        attribute,
        group: field(Type.String(), 'A group.', 'woman'),
        standard_error: field(
          Type.Number(),
          'The mean standard error of the traits, in standard deviations of the population.',
          0.38,
        ),
        items: field(Type.Number(), 'How many questions were answered on average.', 92.5),
      }),
    ),
    'How precisely members of each group of at least ten are measured, in the whole service.',
  ),
  items: field(
    Type.Array(
      closedObject({
        attribute,
        group: field(Type.String(), 'A group.', 'woman'),
        reference: field(
          Type.String(),
          'The largest group of the attribute, which it is compared with.',
          'man',
        ),
        compared: field(Type.Integer(), 'The questions with enough answers.', 120),
        moderate: field(Type.Integer(), 'Those with a moderate difference (ETS category BB).', 3),
        large: field(Type.Integer(), 'Those with a large one (CC).', 0),
        items: field(
          Type.Array(
            closedObject({
              item_id: field(Type.String(), 'The question.', 'pressure_response-03'),
              trait: field(Type.String(), 'The trait that it measures.', 'pressure_response'),
              item_class: field(Type.Enum(itemClasses), 'The size of the difference.', 'moderate'),
              effect: field(
                Type.Number(),
                'The standardised mean difference, in standard deviations of the question: above zero if the group answers as people with more of the trait do.',
                0.19,
              ),
            }),
          ),
          'Those questions, the largest ten differences first.',
        ),
      }),
    ),
    'Differential item functioning: whether questions work differently for people with the same trait.',
  ),
});

const driverWire = closedObject({
  attribute,
  selection: field(Type.Enum(biasStages), 'The rating with the gap.', 'rated_strong'),
  group: field(Type.String(), 'The group with the lower rate.', 'woman'),
  reference: field(Type.String(), 'The group with the highest rate.', 'man'),
  traits: field(
    Type.Array(
      closedObject({
        trait: field(Type.String(), 'A trait for which jobs of the organisation ask.', 'autonomy_drive'),
        share: field(Type.Number(), 'Its part of all that widens the gap, from 0 to 1.', 0.44),
      }),
    ),
    'At most three traits, the largest part first.',
  ),
});

const policyChangeWire = closedObject({
  version: field(Type.Integer(), 'The version that came into use.', 2),
  action: field(Type.Enum(useActions), 'How it came into use.', 'promote'),
  used_on: describeDate('When (UTC).', '2026-09-01'),
  gain: field(
    nullable(Type.Number()),
    'The estimated gain of good outcomes; null if it was not evaluated.',
    0.004,
  ),
  lower_bound: field(nullable(Type.Number()), 'Its lower bound (95 %); null if none.', 0.001),
  groups_compared: field(nullable(Type.Integer()), 'The groups that the fairness gate compared.', 9),
  regressions: field(
    Type.Array(Type.String()),
    'The questions on which a group would be worse off by the four-fifths rule.',
    [],
  ),
});

const countsWire = {
  totals: field(stages, 'All people of the report, once each, by the stages that they have reached.'),
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
        attribute,
        stated: field(nullable(people), 'The people who have said it; null if not shown.', 90),
        not_stated: field(
          nullable(people),
          'The people who have not, with those of groups that are too small; null if not shown.',
          30,
        ),
      }),
    ),
    'How many people the comparisons are about.',
  ),
  comparisons: field(
    Type.Array(
      closedObject({
        attribute,
        selection: field(
          Type.Enum(biasStages),
          'The stage for which people were selected.',
          'org_interested',
        ),
        of: field(Type.Enum(comparedStages), 'The stage from which they were selected.', 'matched'),
        decided_by: field(Type.Enum(['service', 'organisation', 'member']), 'Who decided.', 'organisation'),
        is_approximate: field(
          Type.Boolean(),
          'Whether a number of people is too small to be shown. Ratios, intervals and probabilities then follow from numbers that make differences smaller than they are; the flag and below_four_fifths are exact.',
          false,
        ),
        groups: Type.Array(groupWire, { description: 'The groups, in a fixed order.' }),
      }),
    ),
    'Each selection by each attribute.',
  ),
  outcomes: field(
    Type.Array(outcomeWire),
    'What became of people, and how the service had rated them, by each attribute.',
  ),
  measurement: field(
    measurementWire,
    'How precisely and how evenly groups are measured, in the whole service.',
  ),
  drivers: field(
    Type.Array(driverWire),
    'The traits behind gaps of ratings that are marked: at most twelve, the least likely to be chance first.',
  ),
};

/** What is counted and computed when a report is published, and stays. */
export const publishedCounts = closedObject(countsWire);

export type PublishedCounts = Static<typeof publishedCounts>;

/** The bias report of an organisation about a year. Its numbers are about groups, and never about one person. */
export const biasReportWire = closedObject(
  {
    org_id: uuid,
    org_name: field(Type.String(), 'The name of the organisation.', 'River Murray Trust'),
    year: field(Type.Integer(), 'The calendar year (UTC) in which the matches were made.', 2026),
    number: field(
      nullable(Type.Integer()),
      'Which of the reports of the year this is; null if none was published yet. Each counts people who are in none before it.',
      1,
    ),
    counted_on: field(
      nullable(Type.String({ format: 'date' })),
      'The date on which people were counted and the report was published; null if none was published yet.',
      '2026-03-02',
    ),
    smallest_cell: field(Type.Integer(), 'Numbers that are about fewer people are not shown.', smallest_cell),
    smallest_group: field(
      Type.Integer(),
      'Groups of fewer people are joined, by their numbers alone.',
      smallest_group,
    ),
    next_report: field(
      closedObject({
        is_possible: field(Type.Boolean(), 'Whether the next report can be published now.', false),
        people: field(people, 'The people matched in the year who are in no report yet.', 64),
        words: field(
          Type.String(),
          'When the next report can be published, and what is missing.',
          'There is no further report about 2025: everybody who was matched in it is in a report.',
        ),
      }),
      'The next report about the year.',
    ),
    ...countsWire,
    oversight: field(oversight, 'What people have decided, and the human reviews of the year.'),
    trend: field(
      Type.Array(
        closedObject({
          year: field(Type.Integer(), 'A calendar year.', 2025),
          attribute,
          selection: field(Type.Enum(biasStages), 'For which stage people were selected.', 'org_interested'),
          lowest_ratio: field(Type.Number(), 'The lowest impact ratio of that year.', 0.84),
        }),
      ),
      'The lowest impact ratio of each comparison in the last report of this year and of up to four years before, as far as reports were published.',
    ),
    policy_changes: field(
      Type.Array(policyChangeWire),
      'The version of the fit policy that was in use when the year began, and those that came into use in it, the latest first.',
    ),
    method: field(Type.Array(Type.String()), 'How the numbers are computed.', [method[0]!]),
    limits: field(Type.Array(Type.String()), 'What the numbers do not say.', [limits[0]!]),
  },
  { $id: 'BiasReport' },
);

export type BiasReport = Static<typeof biasReportWire>;
