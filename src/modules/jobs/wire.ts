import { Type, type Static } from 'typebox';
import { educationLevels } from '#modules/members';
import { traitCodes, type TraitPriorities } from '#modules/traits';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';
import { clearances, jobStatuses, remotePolicies, type JobConstraints, type JobFields } from './rules.ts';
import { onetAttribution } from './templates/onet-text.ts';
import type { JobTemplate } from './templates/template-priorities.ts';

const priority = Type.Number({ minimum: 0, maximum: 1 });

/** Trait priorities in a reply: those of the twenty codes that were set. */
const traitPrioritiesWire = Type.Unsafe<TraitPriorities>(
  closedObject(Object.fromEntries(traitCodes.map((code) => [code, Type.Optional(priority)]))),
);

/** Trait priorities in a request. The schema allows any key, because an unknown trait code has its own refusal code. */
export const traitPrioritiesInput = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  description:
    'The importance of each MVP-20 trait, from 0 to 1, by trait code; at least one is above 0. `GET /taxonomy/traits` lists the codes.',
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

const buildListSchema = (pattern: string, maxItems: number) =>
  Type.Array(Type.String({ pattern }), { minItems: 1, maxItems, uniqueItems: true });

/** The constraints of requests and of the resource. */
export const constraintsWire = Type.Unsafe<JobConstraints>(
  closedObject(
    {
      location_countries: Type.Optional(buildListSchema('^[A-Z]{2}$', 50)),
      location_states: Type.Optional(buildListSchema('^[A-Z0-9]{1,3}$', 50)),
      years_experience_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 80 })),
      education_level_min: Type.Optional(Type.Enum(educationLevels)),
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
    id: uuid,
    external_id: Type.String({ pattern: '^JOB-[0-9A-HJKMNP-TV-Z]{8}$' }),
    org_id: uuid,
    title: Type.String(),
    outcome_description: Type.String(),
    status: Type.Enum(jobStatuses),
    clearance_required: Type.Enum(clearances),
    remote_policy: Type.Enum(remotePolicies),
    trait_priorities: traitPrioritiesWire,
    constraints: constraintsWire,
    ...salaryFields,
    created_at: timestamp,
  },
  { $id: 'Job' },
);

type JobResource = JobFields & {
  readonly id: string;
  readonly external_id: string;
  readonly org_id: string;
  readonly created_at: Date;
};

export function toWire(job: JobResource): Static<typeof jobWire> {
  const { id, external_id, org_id, title, outcome_description, status, clearance_required, remote_policy } =
    job;
  const { trait_priorities, constraints, salary_min, salary_max, salary_currency, created_at } = job;
  return {
    id,
    external_id,
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
    created_at: created_at.toISOString(),
  };
}

/** A job template. Its licence requires that `source` is shown with it. */
export const templateWire = closedObject(
  {
    onet_code: Type.String(),
    title: Type.String(),
    description: Type.String(),
    trait_priorities: traitPrioritiesWire,
    source: Type.String({ description: 'The attribution that must be shown with the template.' }),
  },
  { $id: 'JobTemplate' },
);

export function toTemplateWire(template: JobTemplate): Static<typeof templateWire> {
  const { onet_code, title, description, trait_priorities } = template;
  return { onet_code, title, description, trait_priorities, source: onetAttribution };
}
