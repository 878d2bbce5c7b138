import { Type, type TSchema } from 'typebox';
import { educationLevels } from '#modules/people/members';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { closedObject, field, nullable, patternText, text } from '#platform/schema.ts';

/** Only active jobs are matched. */
export const jobStatuses = ['active', 'closed', 'draft'] as const;

/** Security clearances of the Australian public service, in ascending order. */
export const clearances = [
  'none',
  'baseline',
  'negative_vetting_1',
  'negative_vetting_2',
  'positive_vetting',
] as const;

export type Clearance = (typeof clearances)[number];

export const remotePolicies = ['onsite', 'hybrid', 'remote'] as const;

export type RemotePolicy = (typeof remotePolicies)[number];

/** Conditions on a member's profile. A member who does not meet them is not matched, regardless of traits. */
export type JobConstraints = {
  /** The member must live in one of these countries (ISO 3166-1 alpha-2). */
  readonly location_countries?: readonly string[];
  /** The member must live in one of these states of the single country (ISO 3166-2, without the country code). */
  readonly location_states?: readonly string[];
  /** Whole years. */
  readonly years_experience_min?: number;
  /** The member must have this level of education or a later one in `educationLevels`. */
  readonly education_level_min?: (typeof educationLevels)[number];
};

const priority = Type.Number({ minimum: 0, maximum: 1 });

/** Trait priorities in a reply: those of the twenty codes that were set. */
export const traitPrioritiesWire = Type.Unsafe<TraitPriorities>(
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

const buildListSchema = (code: TSchema) => Type.Array(code, { minItems: 1, maxItems: 50, uniqueItems: true });

/** The constraints of requests and of the resource. */
export const constraintsWire = Type.Unsafe<JobConstraints>(
  closedObject(
    {
      location_countries: Type.Optional(
        field(
          buildListSchema(patternText('^[A-Z]{2}$', 'must be an ISO 3166-1 alpha-2 code such as AU')),
          'Where the member must live: ISO 3166-1 alpha-2 codes.',
          ['AU'],
        ),
      ),
      location_states: Type.Optional(
        field(
          buildListSchema(
            patternText('^[A-Z0-9]{1,3}$', 'must be an ISO 3166-2 code without the country, such as NSW'),
          ),
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

/** The name of a resource in the program of the organisation that manages it. */
export const externalRef = field(
  text(200),
  'The id of the job in a program of yours, such as an applicant tracking system. Lists can be filtered by it.',
  'ats-4711',
);

const metadata_entries_max = 20;

/** Notes of a program of the organisation, which the service returns and does not read. */
export const metadataFields = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  description: `Notes of a program of yours, at most ${metadata_entries_max}: texts of up to 500 characters by names of up to 40. The service returns them and does not read them. Do not put data about people there.`,
  examples: [{ hiring_round: 'autumn', cost_centre: '4200' }],
  propertyNames: { minLength: 1, maxLength: 40 },
  additionalProperties: { type: 'string', maxLength: 500 },
  maxProperties: metadata_entries_max,
});

/** The id of a thing in a program of the organisation. */
export const referenceText = field(
  text(200),
  'The id in a program of yours, such as that of an application. Lists can be filtered by it.',
  'application-20931',
);

/** What a program notes. What is left out is empty. */
export const referenceInput = {
  external_ref: Type.Optional(nullable(referenceText)),
  metadata: Type.Optional(metadataFields),
};
