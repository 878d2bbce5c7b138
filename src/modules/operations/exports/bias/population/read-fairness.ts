import { Type } from 'typebox';
import { identityAttributes } from '#modules/people/self-identification';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { listGroups } from '../rules.ts';
import { countReports } from '../store.ts';
import { countAllAssessed, countAssessed, smallest_population, type PopulationRelease } from './rules.ts';
import { findPopulation } from './store.ts';

const count = Type.Integer({ minimum: 0 });
const attribute = field(
  Type.Enum([...identityAttributes]),
  'What members may have said about themselves.',
  'gender',
);
const group = field(Type.String(), 'A group, or not_stated.', 'woman');

export const readFairness = operation({
  name: 'exports.readFairness',
  title: 'Read how evenly groups are measured',
  summary:
    'Returns what may be published about all members of this installation by group: how many were assessed, rounded to tens, how precisely they are measured, and whether questions work differently for them. Counted at most once a month. Groups of fewer than fifty people are left out. Selection rates are in the bias report of each organisation, which publishes it or not.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      measured_on: field(
        nullable(Type.String({ format: 'date' })),
        'When all members were counted; null if not yet.',
        '2026-03-01',
      ),
      members: field(
        nullable(count),
        'All members who were assessed and can be found, rounded to tens; null if they are fewer than fifty, or were not counted yet.',
        4200,
      ),
      smallest_group: field(count, 'Groups of fewer people are left out.', smallest_population),
      groups: field(
        Type.Array(
          closedObject({
            attribute,
            group,
            members: field(count, 'The people of the group, rounded to tens.', 2100),
            standard_error: field(
              nullable(Type.Number({ minimum: 0 })),
              'The mean standard error of their traits, in standard deviations of the population; null for those who have not stated the attribute.',
              0.38,
            ),
          }),
        ),
        'The groups that are large enough.',
      ),
      questions: field(
        Type.Array(
          closedObject({
            attribute,
            group,
            reference: field(Type.String(), 'The largest group, with which it is compared.', 'man'),
            compared: field(count, 'The questions with enough answers of both groups.', 120),
            moderate: field(count, 'Those with a moderate difference (ETS category BB).', 3),
            large: field(count, 'Those with a large one (CC).', 0),
          }),
        ),
        'Differential item functioning: whether questions work differently for people with the same trait.',
      ),
      reports_published: field(
        count,
        'How many bias reports about their own selections organisations of this installation have published to their administrators and auditors.',
        3,
      ),
    }),
  },
  run: async ({ database }) => {
    const [population, reports_published] = await Promise.all([
      findPopulation(database),
      countReports(database),
    ]);
    return {
      measured_on: population?.released_at.toISOString().slice(0, 10) ?? null,
      members: countAllAssessed(population),
      smallest_group: smallest_population,
      groups: population ? listLargeGroups(population) : [],
      questions: population ? listQuestions(population) : [],
      reports_published,
    };
  },
});

/** A mean of fifty people, with two decimals, says nothing about the one who came since the last count. */
function listLargeGroups(population: PopulationRelease) {
  return identityAttributes.flatMap((attribute_name) =>
    listGroups(attribute_name).flatMap((group_name) => {
      const members = countAssessed(population, attribute_name, group_name);
      if (members === null) return [];
      const precision = population.counts.precision.find(
        (each) => each.attribute === attribute_name && each.group === group_name,
      );
      const standard_error = precision?.standard_error ?? null;
      return [{ attribute: attribute_name, group: group_name, members, standard_error }];
    }),
  );
}

function listQuestions({ counts }: PopulationRelease) {
  return counts.items.flatMap(({ attribute: name, items: _items, ...each }) =>
    name === 'gender_ethnicity' ? [] : [{ attribute: name, ...each }],
  );
}
