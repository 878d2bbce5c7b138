import { Type, type Static } from 'typebox';
import { identityAttributes } from '#modules/people/self-identification';
import { choiceWire, traitPrioritiesWire } from '#modules/matching/jobs';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { impactFlags } from './computing/compute-impact.ts';
import { distances } from './computing/find-alternatives.ts';

const share = Type.Number({ minimum: 0, maximum: 1 });

const groupWire = closedObject({
  group: field(Type.String(), 'What the members of the group have said about themselves.', 'woman'),
  people: field(
    Type.Integer({ minimum: 50 }),
    'How many members were measured, to the nearest ten. They are at least fifty.',
    420,
  ),
  rate: field(share, 'The share of them who would be rated strong or better.', 0.062),
  impact_ratio: field(share, 'The rate divided by the highest rate of the groups.', 0.713),
  ratio_from: field(
    nullable(Type.Number({ minimum: 0 })),
    'The lower bound of the 95 % interval of the ratio; null for the group with the highest rate.',
    0.581,
  ),
  ratio_to: field(
    nullable(Type.Number({ minimum: 0 })),
    'The upper bound of the 95 % interval of the ratio; null for the group with the highest rate.',
    0.875,
  ),
  below_four_fifths: field(Type.Boolean(), 'Whether the ratio is below four fifths.', true),
  flag: field(
    nullable(Type.Enum(impactFlags)),
    '`significant`: the difference is unlikely to be chance. `insufficient`: too few people, so that nothing follows. `none`: enough people, and no ratio below four fifths. Null for the group with the highest rate.',
    'significant',
  ),
});

const impactWire = Type.Array(
  closedObject({
    attribute: field(Type.Enum(identityAttributes), 'What the groups differ in.', 'gender'),
    measured_on: field(Type.String({ format: 'date' }), 'The day of the latest measurement.', '2026-03-02'),
    groups: field(Type.Array(groupWire), 'The groups; at least two.'),
  }),
);

/** What priorities would do to groups, and what else could be chosen. */
export const impactPreviewWire = closedObject(
  {
    impact: field(
      impactWire,
      'The rates of the groups of each attribute; empty if too few members were measured.',
    ),
    too_few: field(
      nullable(Type.String()),
      'Why nothing is shown, in a sentence; null if something is.',
      null,
    ),
    choice: choiceWire,
    alternatives: field(
      Type.Array(
        closedObject({
          distance: field(
            Type.Enum(distances),
            '`near`: the fits of members correlate by at least 0.95 with those as first set. `farther`: by at least 0.85.',
            'near',
          ),
          trait_priorities: traitPrioritiesWire,
          correlation: field(
            share,
            'The correlation of the fits with those as first set, over the members.',
            0.97,
          ),
          impact: field(impactWire, 'The rates of the groups with these priorities.'),
          choice: choiceWire,
        }),
        { maxItems: distances.length },
      ),
      'The nearest priorities with less impact; empty if the ratios are 0.9 or higher, or none are near enough.',
    ),
  },
  { $id: 'ImpactPreview' },
);

export type ImpactPreview = Static<typeof impactPreviewWire>;
