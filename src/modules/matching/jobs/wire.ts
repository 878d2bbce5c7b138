import { Type, type Static } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { educationLevels } from '#modules/people/members';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { clearances, jobStatuses, remotePolicies, type JobConstraints, type JobFields } from './rules.ts';
import { describeLimits } from './trait-shares.ts';
import { onetAttribution } from './templates/onet-text.ts';
import type { JobTemplate } from './templates/template-priorities.ts';

const priority = Type.Number({ minimum: 0, maximum: 1 });

/** Trait priorities in a reply: those of the twenty codes that were set. */
const traitPrioritiesWire = Type.Unsafe<TraitPriorities>(
  closedObject(
    Object.fromEntries(
      traitCodes.map((code) => [
        code,
        Type.Optional(field(priority, `How important ${code.replaceAll('_', ' ')} is, from 0 to 1.`, 0.7)),
      ]),
    ),
    { examples: [{ analytical_depth: 0.9, persistence: 0.7, sincerity: 0.5 }] },
  ),
);

/** Trait priorities in a request. The schema allows any key, because an unknown trait code has its own refusal code. */
export const traitPrioritiesInput = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  description:
    'The importance of each MVP-20 trait, from 0 to 1, by trait code; at least one is above 0. `GET /taxonomy/traits` lists the codes.',
  examples: [{ analytical_depth: 0.9, persistence: 0.7, sincerity: 0.5 }],
  propertyNames: { maxLength: 64 },
  additionalProperties: priority,
  maxProperties: 100,
});

/** The salary fields of requests and of the resource. */
export const salaryFields = {
  salary_min: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  salary_max: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  salary_currency: nullable(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as AUD.' }),
  ),
};

/** The code of an occupation in O*NET, whose first two digits are its group. */
export const occupationCode = field(
  Type.String({ pattern: '^[0-9]{2}-[0-9]{4}\\.[0-9]{2}$' }),
  'The O*NET code of the job template that the job starts from. Outcomes of jobs of one occupation group are learned from together.',
  '19-2041.00',
);

const buildListSchema = (pattern: string, maxItems: number) =>
  Type.Array(Type.String({ pattern }), { minItems: 1, maxItems, uniqueItems: true });

/** The constraints of requests and of the resource. */
export const constraintsWire = Type.Unsafe<JobConstraints>(
  closedObject(
    {
      location_countries: Type.Optional(
        field(buildListSchema('^[A-Z]{2}$', 50), 'Where the member must live: ISO 3166-1 alpha-2 codes.', [
          'AU',
        ]),
      ),
      location_states: Type.Optional(
        field(
          buildListSchema('^[A-Z0-9]{1,3}$', 50),
          'The states of that country: ISO 3166-2 codes without the country.',
          ['NSW', 'VIC'],
        ),
      ),
      years_experience_min: Type.Optional(
        field(Type.Integer({ minimum: 0, maximum: 80 }), 'The least years of experience.', 3),
      ),
      education_level_min: Type.Optional(
        field(Type.Enum(educationLevels), 'The lowest level of education.', 'bachelors'),
      ),
    },
    {
      description:
        'Conditions that a member’s profile must meet to be matched with the job. States require exactly one country.',
    },
  ),
);

/** The Job resource. */
export const jobWire = closedObject(
  {
    id: field(uuid, 'The id of the job.', sampleIds.job),
    external_id: field(
      Type.String({ pattern: '^JOB-[0-9A-HJKMNP-TV-Z]{8}$' }),
      'A short id for people.',
      'JOB-7K2M9QXD',
    ),
    org_id: uuid,
    title: Type.String(),
    outcome_description: Type.String(),
    status: field(Type.Enum(jobStatuses), 'Only an active job is matched.', 'active'),
    clearance_required: Type.Enum(clearances),
    remote_policy: Type.Enum(remotePolicies),
    trait_priorities: traitPrioritiesWire,
    constraints: constraintsWire,
    ...salaryFields,
    occupation_code: nullable(occupationCode),
    created_at: timestamp,
    notes: field(Type.Array(Type.String()), 'How matching treats these fields where it is not obvious.', [
      'In the fit, no trait has more than 40 % of the weight. What exceeds this for persistence is spread over the other traits.',
    ]),
  },
  { $id: 'Job' },
);

type JobResource = JobFields & {
  readonly occupation_code: string | null;
  readonly id: string;
  readonly org_id: string;
  readonly created_at: Date;
};

export function toWire(job: JobResource): Static<typeof jobWire> {
  const { id, org_id, title, outcome_description, status, clearance_required, remote_policy } = job;
  const {
    trait_priorities,
    constraints,
    salary_min,
    salary_max,
    salary_currency,
    occupation_code,
    created_at,
  } = job;
  return {
    id,
    external_id: formatExternalId('JOB', id),
    org_id,
    title,
    outcome_description,
    status,
    clearance_required,
    remote_policy,
    trait_priorities,
    constraints,
    salary_min,
    salary_max,
    salary_currency,
    occupation_code,
    created_at: created_at.toISOString(),
    notes: describeLimits(trait_priorities),
  };
}

/** A job template. Its licence requires that `source` is shown with it. */
export const templateWire = closedObject(
  {
    onet_code: field(Type.String(), 'The code of the occupation in O*NET.', '19-2041.00'),
    title: field(Type.String(), 'The name of the occupation.', 'Environmental Scientists and Specialists'),
    description: field(
      Type.String(),
      'What people in the occupation do.',
      'Conduct research to find and reduce hazards that affect the environment.',
    ),
    trait_priorities: traitPrioritiesWire,
    source: field(Type.String(), 'The attribution that must be shown with the template.', onetAttribution),
  },
  { $id: 'JobTemplate' },
);

export function toTemplateWire(template: JobTemplate): Static<typeof templateWire> {
  const { onet_code, title, description, trait_priorities } = template;
  return { onet_code, title, description, trait_priorities, source: onetAttribution };
}
