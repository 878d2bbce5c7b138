import { Type, type Static } from 'typebox';
import { identityAttributes } from '#modules/self-identification';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import {
  biasStages,
  computeRates,
  hideAllSmallCells,
  selections,
  smallest_cell,
  type BiasRelease,
} from './rules.ts';
import { limits, method } from './statements.ts';

const people = Type.Integer({ minimum: 0, description: 'A number of people.', examples: [120] });
const share = (description: string, example: number) =>
  field(nullable(Type.Number({ minimum: 0 })), description, example);

const groupWire = closedObject({
  group: field(Type.String(), 'A group, or not_stated.', 'woman'),
  people: field(nullable(people), 'The people of the group in the stage before; null if not shown.', 120),
  selected: field(nullable(people), 'Those of them who were selected; null if not shown.', 54),
  rate: share('The share that was selected, from 0 to 1; null if not shown.', 0.45),
  impact_ratio: share('The rate divided by the highest rate; null if not compared.', 0.9),
  below_four_fifths: field(
    nullable(Type.Boolean()),
    'Whether the impact ratio is below four fifths; null if not compared.',
    false,
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
    totals: field(
      closedObject({
        matched: people,
        rated_strong: people,
        org_interested: people,
        member_accepted: people,
        placed: people,
      }),
      'All people, once each, by the stages that they have reached.',
    ),
    comparisons: field(
      Type.Array(
        closedObject({
          attribute: field(
            Type.Enum(identityAttributes),
            'What members have said about themselves.',
            'gender',
          ),
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

/** Builds the report from the counts that may be seen. */
export function toBiasReport(
  subject: { readonly org_id: string; readonly org_name: string; readonly year: number },
  { released_at, counts }: BiasRelease,
): BiasReport {
  const shown = hideAllSmallCells(counts);
  const comparisons = identityAttributes.flatMap((attribute) =>
    selections.map((each) => ({ attribute, ...each, groups: [...computeRates(shown[attribute], each)] })),
  );
  return {
    ...subject,
    counted_on: released_at.toISOString().slice(0, 10),
    smallest_cell,
    totals: counts.totals,
    comparisons,
    method: [...method],
    limits: [...limits],
  };
}
