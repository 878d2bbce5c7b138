import { Type, type Static } from 'typebox';
import { educationLevels } from '#modules/members';
import { traitCodes } from '#modules/traits';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { onetAttribution } from './templates/onet-text.ts';
import { clearances, jobStatuses, remotePolicies, type JobConstraints, type JobFields } from './rules.ts';
import type { TraitPriorities } from '#modules/traits';
import type { JobTemplate } from './templates/template-priorities.ts';

const strict = { additionalProperties: false };

const priority = Type.Number({ minimum: 0, maximum: 1 });

/** Trait priorities as they leave: of the twenty codes, those that the job was given. */
const traitPrioritiesWire = Type.Unsafe<TraitPriorities>(
  Type.Object(Object.fromEntries(traitCodes.map((code) => [code, Type.Optional(priority)])), strict),
);

/** Trait priorities as they come: any key passes here, as a wrong one is refused by a code of its own. */
export const traitPrioritiesInput = Type.Unsafe<Readonly<Record<string, number>>>({
  type: 'object',
  description:
    'MVP-20 trait code to importance, 0 to 1; at least one above 0. `GET /taxonomy/traits` lists the codes.',
  propertyNames: { maxLength: 64 },
  additionalProperties: priority,
  maxProperties: 100,
});

/** The salary fields of a request and of the resource. */
export const salaryFields = {
  salary_min: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  salary_max: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  salary_currency: nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, such as AUD.' })),
};

const buildListSchema = (pattern: string, maxItems: number) =>
  Type.Array(Type.String({ pattern }), { minItems: 1, maxItems, uniqueItems: true });

/** The constraints of a request and of the resource. */
export const constraintsWire = Type.Unsafe<JobConstraints>(
  Type.Object(
    {
      location_countries: Type.Optional(buildListSchema('^[A-Z]{2}$', 50)),
      location_states: Type.Optional(buildListSchema('^[A-Z0-9]{1,3}$', 50)),
      years_experience_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 80 })),
      education_level_min: Type.Optional(Type.Enum(educationLevels)),
    },
    {
      description:
        'What a member’s profile must meet to be matched at all; what is left out asks for nothing. States need exactly one country.',
      ...strict,
    },
  ),
);

/** The Job resource. */
export const jobWire = Type.Object(
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
  { $id: 'Job', ...strict },
);

type ShownJob = JobFields & {
  readonly id: string;
  readonly external_id: string;
  readonly org_id: string;
  readonly created_at: Date;
};

export function toWire(job: ShownJob): Static<typeof jobWire> {
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

/** A job template; its licence asks for the credit in `source` wherever it is shown. */
export const templateWire = Type.Object(
  {
    onet_code: Type.String(),
    title: Type.String(),
    description: Type.String(),
    trait_priorities: traitPrioritiesWire,
    source: Type.String({ description: 'Where the template comes from, to be shown beside it.' }),
  },
  { $id: 'JobTemplate', ...strict },
);

export function toTemplateWire(template: JobTemplate): Static<typeof templateWire> {
  const { onet_code, title, description, trait_priorities } = template;
  return { onet_code, title, description, trait_priorities, source: onetAttribution };
}
