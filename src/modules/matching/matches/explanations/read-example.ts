import { Type } from 'typebox';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { orgRoles } from '#lib/caller.ts';
import { loadTraitNorms, traitCodes, type TraitCode } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { findListedVersion } from '../index/store-vectors.ts';
import { exampleFields, examplePriorities, explainForExample } from './preview-explanation.ts';

/** The people of the example, who do not exist: what is known of each, in standard deviations from the average. */
const people: readonly (readonly [string, Readonly<Partial<Record<TraitCode, number>>>])[] = [
  [
    'Example person A',
    { analytical_depth: 1.9, collaborative_orientation: 1.8, persistence: 1.6, change_agility: 1.3 },
  ],
  [
    'Example person B',
    { analytical_depth: 1.9, collaborative_orientation: 0.3, persistence: 1.7, change_agility: 1.7 },
  ],
  [
    'Example person C',
    { analytical_depth: 0.2, collaborative_orientation: 1.6, persistence: 1.2, change_agility: 0.1 },
  ],
  [
    'Example person D',
    { analytical_depth: 0.4, collaborative_orientation: -1.2, persistence: 1.4, change_agility: 1.2 },
  ],
];

const error_variance = 0.1;

const note =
  'An example with fictional people. They are not members, nobody can ask them, and no number counts them.';

export const readExample = operation({
  name: 'matches.readExample',
  title: 'Read an example of a shortlist',
  summary:
    'Returns a shortlist of fictional people for an example job, explained as real people are before they have agreed to be known. Nobody of it exists or is stored. It is for organisations that see nobody yet.',
  who: orgRoles,
  output: {
    200: closedObject({
      is_example: field(Type.Literal(true), 'Always true: these people are fictional.', true),
      note: field(Type.String(), 'A sentence to show with the example.', note),
      asked_for: field(
        Type.Array(Type.Enum(traitCodes)),
        'The traits that the example job asks for, the most important first.',
        ['analytical_depth', 'persistence'],
      ),
      people: Type.Array(
        closedObject({
          name: field(Type.String(), 'A name that says that the person is fictional.', 'Example person A'),
          ...exampleFields,
        }),
        { description: 'The fictional people, the best fit first.' },
      ),
    }),
  },
  run: async (context) => {
    const { version } = await findListedVersion(context.database);
    const norms = await loadTraitNorms(context, context.database, version);
    return {
      is_example: true,
      note,
      asked_for: traitCodes
        .filter((code) => examplePriorities[code] !== undefined)
        .toSorted((one, other) => examplePriorities[other]! - examplePriorities[one]!),
      people: people.map(([name, traits]) => ({ name, ...explainForExample(buildMember(traits), norms) })),
    };
  },
});

function buildMember(traits: Readonly<Partial<Record<TraitCode, number>>>) {
  return {
    member_id: nil_uuid,
    mean: traitCodes.map((code) => traits[code] ?? 0),
    variance: traitCodes.map(() => error_variance),
    provisional: false,
  };
}
