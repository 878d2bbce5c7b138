import { Type } from 'typebox';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { closedObject, field, nullable } from '#platform/schema.ts';
import type { Preferences } from '#modules/matching/engine';

const weight = Type.Integer({ minimum: 0, maximum: 100 });

const fields = {
  clearance_held: field(Type.Enum(clearances), 'The security clearance that you hold.', 'baseline'),
  remote_policies: nullable(
    Type.Array(Type.Enum(remotePolicies), {
      minItems: 1,
      maxItems: remotePolicies.length,
      uniqueItems: true,
      description: 'The remote policies that you accept, the preferred one first; null for any.',
      examples: [['remote', 'hybrid']],
    }),
  ),
  salary_min: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The lowest acceptable salary per year, in whole units of the currency; null for any.',
      examples: [85_000],
    }),
  ),
  salary_currency: nullable(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as AUD.' }),
  ),
  values: nullable(
    closedObject(
      { clan: weight, adhocracy: weight, market: weight, hierarchy: weight },
      {
        description:
          'How a workplace should be, by quadrant of the Competing Values Framework. Only the proportions matter.',
      },
    ),
  ),
};

/** The matching preferences in a request. A field that is left out gets its default value. */
export const preferencesInput = Type.Partial(Type.Object(fields));

/** The matching preferences of a member. */
export const preferencesWire = Type.Unsafe<Preferences>(closedObject(fields, { $id: 'MatchingPreferences' }));
