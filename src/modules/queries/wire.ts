import { Type, type Static } from 'typebox';
import { archetypeCodes } from '#modules/archetypes';
import { alignmentLabels } from '#modules/matching';
import { traitFamilyNames, type TraitFamily } from '#modules/traits';
import { closedObject, field } from '#platform/schema.ts';
import { dataCompleteness, dataTypes } from './rules.ts';
import { traitTiers, valueBands, valueTraits, type ValueName } from './tiers.ts';

/** The label of a part that was not bought. */
export const not_included = 'not_included';

/** How a read was paid. */
const paymentTypes = ['x402', 'transfer', 'mock', 'allowance'] as const;

/** How much is known of the member: a complete assessment, or less. */

const tierLabel = field(
  Type.Enum([...traitTiers, not_included]),
  'How much of this family the member has, compared with other people.',
  'strong',
);
const bandLabel = field(Type.Enum(valueBands), 'How much this value matters to the member.', 'important');
const alignmentLabel = Type.Enum(alignmentLabels);

/** Builds an object with the same schema for each name; `Object.fromEntries` returns the names as plain strings. */
function buildFields<const Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

const valueNames = Object.keys(valueTraits) as ValueName[];

/** What a read returns: labels and no number about the member, and a pseudonym that no other organisation receives. */
export const queryResultWire = closedObject(
  {
    data: closedObject({
      member_pseudonym: field(
        Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
        'Names the member for your organisation, in every read. Another organisation receives another pseudonym of the same member.',
        'kX3vQpZb7TqY0mJdW2sNfA',
      ),
      archetype: field(
        Type.Enum([...archetypeCodes, 'undetermined', not_included]),
        'The archetype of GET /taxonomy/archetypes; `undetermined` if the measurement is not certain enough.',
        archetypeCodes[0],
      ),
      trait_tiers: field(
        closedObject(buildFields<TraitFamily, typeof tierLabel>(traitFamilyNames, tierLabel)),
        'A label for each family of traits; `not_included` unless the data type is trait_profile.',
        buildFields(traitFamilyNames, 'strong'),
      ),
      data_completeness: field(
        Type.Enum(dataCompleteness),
        'How much is known: all of a complete assessment, most traits, some, or few.',
        'comprehensive',
      ),
      values: Type.Optional(
        field(
          closedObject(buildFields<ValueName, typeof bandLabel>(valueNames, bandLabel)),
          'How much each value matters to the member. Only for values_profile.',
          buildFields(valueNames, 'important'),
        ),
      ),
      alignment: Type.Optional(
        field(
          closedObject({
            authenticity: field(alignmentLabel, 'How well the member could be themselves in your culture.'),
            acceptance: field(
              alignmentLabel,
              'How well your culture offers the trust that the member needs.',
            ),
          }),
          'How well the member and your published culture suit each other. Only for alignment.',
          { authenticity: 'high', acceptance: 'moderate' },
        ),
      ),
    }),
    query_metadata: field(
      closedObject({
        data_type: field(Type.Enum(dataTypes), 'What was read.', 'trait_profile'),
        payment_type: field(Type.Enum(paymentTypes), 'How it was paid.', 'x402'),
        remaining_daily_queries: field(
          Type.Integer({ minimum: 0 }),
          'How many reads your organisation has left today (UTC), when this read was recorded.',
          99,
        ),
        consent_level: field(
          Type.Enum(['selective', 'full']),
          'Whether the member approved some categories or all.',
          'full',
        ),
      }),
      'How the read was paid, and what is left.',
    ),
  },
  { $id: 'QueryResult' },
);

export type QueryResult = Static<typeof queryResultWire>;
