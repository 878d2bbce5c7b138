import { Type } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import type { TraitPriorities } from '#modules/measurement/traits';
import { changeable, computed, editable, fixed, maintained, resource } from '#platform/resource.ts';
import type { ChangeableFields, NewRow, Row } from '#platform/resource.ts';
import { closedObject, field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  clearances,
  constraintsWire,
  externalRef,
  jobStatuses,
  metadataFields,
  occupationCode,
  remotePolicies,
  salaryFields,
  traitPrioritiesInput,
  traitPrioritiesWire,
} from './field-schemas.ts';
import { describeLimits } from './trait-shares.ts';

const externalId = Type.String({ pattern: '^JOB-[0-9A-HJKMNP-TV-Z]{8}$' });
const notes = field(Type.Array(Type.String()), 'How matching treats these fields where it is not obvious.', [
  'In the fit, no trait has more than 40 % of the weight. What exceeds this for persistence is spread over the other traits.',
]);

/** What an organisation wants done, and whom it looks for. A change of anything but the texts and the status is a new version. */
export const jobResource = resource(
  { table: 'jobs', $id: 'Job' },
  {
    id: fixed(field(uuid, 'The id of the job.', sampleIds.job)),
    external_id: computed(
      field(externalId, 'A short id for people.', 'JOB-7K2M9QXD'),
      ({ id }: { id: string }) => formatExternalId('JOB', id),
    ),
    org_id: fixed(uuid),
    title: editable(Type.String(), { input: text(200) }),
    outcome_description: editable(Type.String(), { input: text(5_000) }),
    status: changeable(field(Type.Enum(jobStatuses), 'Only an active job is matched.', 'active'), {
      default: 'active',
    }),
    clearance_required: editable(Type.Enum(clearances), { default: 'none' }),
    remote_policy: editable(Type.Enum(remotePolicies), { default: 'hybrid' }),
    trait_priorities: editable(traitPrioritiesWire, { input: traitPrioritiesInput, as: 'json' }),
    constraints: editable(constraintsWire, { default: {}, as: 'json' }),
    salary_min: editable(salaryFields.salary_min, { default: null }),
    salary_max: editable(salaryFields.salary_max, { default: null }),
    salary_currency: editable(salaryFields.salary_currency, { default: null }),
    occupation_code: editable(nullable(occupationCode), { default: null }),
    external_ref: editable(nullable(externalRef), { default: null }),
    metadata: editable(metadataFields, { default: {}, as: 'json' }),
    created_at: fixed(timestamp, { as: 'time' }),
    updated_at: maintained(field(timestamp, 'When a field was changed last.', '2026-03-02T09:00:00.000Z'), {
      as: 'time',
    }),
    notes: computed(notes, (row: { trait_priorities: TraitPriorities }) =>
      describeLimits(row.trait_priorities),
    ),
    /** When the computation of the stored matches began; null before the first one. */
    matches_computed_at: fixed(nullable(timestamp), { as: 'time', default: null, hidden: true }),
    /** Where the full list of matches ends, with what this was computed; null if the list has room or was never computed. */
    list_end: fixed(
      nullable(closedObject({ basis: Type.String(), tier: Type.Integer(), suitability: Type.Integer() })),
      { as: 'json', default: null, hidden: true },
    ),
    /** The number of times that the requirements were changed, plus one. Matches belong to a version. */
    version: maintained(Type.Integer(), { default: 1, hidden: true }),
  },
);

export type Job = Row<typeof jobResource>;

export type NewJob = NewRow<typeof jobResource>;

/** The fields of a job that its organisation may change. */
export type JobFields = ChangeableFields<typeof jobResource>;
