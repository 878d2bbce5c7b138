import { Type } from 'typebox';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { defaultPreferences, type Preferences } from '#modules/matching/engine';
import { editable, fixed, maintained, resource, type Row } from '#platform/resource.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';

const weight = Type.Integer({ minimum: 0, maximum: 100 });

/** What a member accepts, and how a workplace should be. One row a member, which a change replaces. */
export const preferencesResource = resource(
  { table: 'matching_preferences', $id: 'MatchingPreferences' },
  {
    member_id: fixed(uuid, { hidden: true }),
    clearance_held: editable(
      field(Type.Enum(clearances), 'The security clearance that you hold.', 'baseline'),
      { default: defaultPreferences.clearance_held },
    ),
    remote_policies: editable(
      Type.Unsafe<Preferences['remote_policies']>(
        nullable(
          Type.Array(Type.Enum(remotePolicies), {
            minItems: 1,
            maxItems: remotePolicies.length,
            uniqueItems: true,
            description: 'The remote policies that you accept, the preferred one first; null for any.',
            examples: [['remote', 'hybrid']],
          }),
        ),
      ),
      { default: defaultPreferences.remote_policies },
    ),
    salary_min: editable(
      nullable(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000_000,
          description: 'The lowest acceptable salary per year, in whole units of the currency; null for any.',
          examples: [85_000],
        }),
      ),
      { default: defaultPreferences.salary_min },
    ),
    salary_currency: editable(
      nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as AUD.' })),
      { default: defaultPreferences.salary_currency },
    ),
    values: editable(
      nullable(
        closedObject(
          { clan: weight, adhocracy: weight, market: weight, hierarchy: weight },
          {
            description:
              'How a workplace should be, by quadrant of the Competing Values Framework. Only the proportions matter.',
          },
        ),
      ),
      { default: defaultPreferences.values, as: 'json' },
    ),
    updated_at: maintained(timestamp, { as: 'time', hidden: true }),
  },
);

export type StoredPreferences = Row<typeof preferencesResource>;
