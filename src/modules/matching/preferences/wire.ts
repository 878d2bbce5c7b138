import { Type } from 'typebox';
import { cvfQuadrants } from '#modules/culture';
import { clearances, remotePolicies } from '#modules/jobs';
import { nullable } from '#platform/schema.ts';
import type { Preferences } from '../engine/terms.ts';

const strict = { additionalProperties: false };
const weight = Type.Integer({ minimum: 0, maximum: 100 });

const fields = {
  clearance_held: Type.Enum(clearances),
  remote_policies: nullable(
    Type.Array(Type.Enum(remotePolicies), {
      minItems: 1,
      maxItems: remotePolicies.length,
      uniqueItems: true,
      description: 'The policies that you accept, the most welcome first; null for any.',
    }),
  ),
  salary_min: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'The least that a job must pay a year, in whole units of the currency; null for anything.',
    }),
  ),
  salary_currency: nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, such as AUD.' })),
  values: nullable(
    Type.Object(Object.fromEntries(cvfQuadrants.map((quadrant) => [quadrant, weight])), {
      ...strict,
      required: [...cvfQuadrants],
      description:
        'How a workplace should be, by quadrant of the Competing Values Framework; only the shares count.',
    }),
  ),
};

/** What a member wants of a job, as it is sent: what is left out is null, and no clearance. */
export const preferencesInput = Type.Partial(Type.Object(fields));

/** What a member wants of a job. */
export const preferencesWire = Type.Unsafe<Preferences>(
  Type.Object(fields, { $id: 'MatchingPreferences', ...strict }),
);
