import { Type, type Static } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import { archetypeCodes } from '#modules/measurement/archetypes';
import {
  shownPayments,
  toAgreedPrice,
  toShownPayment,
  type MonthlySpend,
  type OrganisationRead,
} from '#modules/income/books';
import { cultureBasis } from '#modules/organisations/culture';
import { alignmentLabels } from '#modules/matching/matches';
import { traitFamilyNames, type TraitFamily } from '#modules/measurement/traits';
import { closedObject, field, nullable, patternText, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { dataCompleteness, dataTypes, type ReadLimits, type Usage } from './rules.ts';
import { traitTiers, valueBands, valueTraits, type ValueName } from './making/tiers.ts';

/** The label of a part that was not bought. */
export const not_included = 'not_included';

const tierLabel = field(
  Type.Enum([...traitTiers, not_included]),
  'How much of this family the member has, compared with other people; `moderate` if the bounds support no side.',
  'strong',
);
const bandLabel = field(
  Type.Enum(valueBands),
  'How much this value matters to the member; `important` if the bounds support neither more nor less.',
  'important',
);
const alignmentLabel = Type.Enum(alignmentLabels);

/** Builds an object with the same schema for each name; `Object.fromEntries` returns the names as plain strings. */
function buildFields<const Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

const valueNames = Object.keys(valueTraits) as ValueName[];

const memberPseudonym = field(
  Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
  'Names the member for your organisation, in every read under the same member_id: one pseudonym for each match until both have agreed. Another organisation receives another one.',
  'kX3vQpZb7TqY0mJdW2sNfA',
);

/** What a read returns: labels and no number about the member, and a pseudonym that no other organisation receives. */
export const readResultWire = closedObject(
  {
    data: closedObject({
      member_pseudonym: memberPseudonym,
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
            // Free reads of the day of an upgrade were stored without it.
            culture_basis: Type.Optional(cultureBasis),
          }),
          'How well the member and your published culture suit each other. Only for alignment.',
          { authenticity: 'high', acceptance: 'moderate', culture_basis: 'measured' },
        ),
      ),
    }),
    query_metadata: field(
      closedObject({
        data_type: field(Type.Enum(dataTypes), 'What was read.', 'trait_profile'),
        payment_type: field(Type.Enum(shownPayments), 'How it was paid.', 'x402'),
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

export type ReadResult = Static<typeof readResultWire>;

const amount = Type.Number({ minimum: 0 });
const count = Type.Integer({ minimum: 0 });

/** A read that the organisation has made: who read what, when and for how much, and nothing of its content. */
export const organisationReadWire = closedObject(
  {
    id: field(uuid, 'The id of the read.', sampleIds.entry),
    member_pseudonym: field(
      memberPseudonym,
      'The pseudonym of the member in your reads. After an erasure, one that names nobody.',
      'kX3vQpZb7TqY0mJdW2sNfA',
    ),
    user_id: field(uuid, 'The administrator who read.', sampleIds.user),
    data_type: field(Type.Enum(dataTypes), 'What was read.', 'trait_profile'),
    payment_type: field(Type.Enum(shownPayments), 'How it was paid.', 'x402'),
    price: field(amount, 'What was paid, in US dollars; zero for a free read.', 0.25),
    price_aud: field(
      nullable(amount),
      'What was agreed in Australian dollars, for a transaction of the marketplace; null for other reads.',
      null,
    ),
    status: field(Type.Enum(['recorded', 'reversed']), 'reversed if the payment was taken back.', 'recorded'),
    created_at: timestamp,
  },
  { $id: 'PurchasedRead' },
);

export function toOrganisationReadWire(
  {
    id,
    user_id,
    data_type,
    payment_type,
    gross,
    price_aud_micros,
    is_reversed,
    created_at,
  }: OrganisationRead,
  member_pseudonym: string,
): Static<typeof organisationReadWire> {
  return {
    id,
    member_pseudonym,
    user_id,
    data_type,
    payment_type: toShownPayment(payment_type),
    price: microsToNumber(gross),
    price_aud: toAgreedPrice({ price_aud_micros }),
    status: is_reversed ? 'reversed' : 'recorded',
    created_at: created_at.toISOString(),
  };
}

/** How many reads an organisation has left, and what it has spent. */
export const allowanceWire = closedObject(
  {
    daily_reads: field(count, 'How many reads the tier allows a day (UTC).', 100),
    daily_reads_left: field(count, 'How many of them are left today.', 99),
    resets_at: field(timestamp, 'When the next day begins.', '2026-03-03T00:00:00.000Z'),
    free_reads: field(
      count,
      'How many free reads the tier gives, once; 0 for an organisation without a proven domain whose tier the operator has not set.',
      5,
    ),
    free_reads_left: field(count, 'How many of them are left.', 4),
    currency: field(Type.Enum(['USD']), 'The currency of all amounts.', 'USD'),
    monthly: field(
      Type.Array(
        closedObject({
          month: field(
            patternText('^\\d{4}-\\d{2}$', 'must be a month such as 2026-03'),
            'A month in UTC.',
            '2026-03',
          ),
          spent: field(amount, 'What was paid.', 11.25),
          paid_reads: field(count, 'The number of paid reads.', 45),
          free_reads: field(count, 'The number of free reads.', 1),
        }),
      ),
      'Those of the latest twelve months in which something was read, the newest first.',
    ),
  },
  { $id: 'QueryAllowance' },
);

export function toAllowanceWire(
  { daily_reads, free_reads }: ReadLimits,
  used: Usage,
  { resets_at, monthly }: { readonly resets_at: Date; readonly monthly: readonly MonthlySpend[] },
): Static<typeof allowanceWire> {
  return {
    daily_reads,
    // A lower tier may allow less than was used.
    daily_reads_left: Math.max(0, daily_reads - used.daily_reads),
    resets_at: resets_at.toISOString(),
    free_reads,
    free_reads_left: Math.max(0, free_reads - used.free_reads),
    currency: 'USD',
    monthly: monthly.map(({ spent, ...each }) => ({ ...each, spent: microsToNumber(spent) })),
  };
}
