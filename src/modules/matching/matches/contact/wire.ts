import { Type, type Static } from 'typebox';
import { cultureWordsWire, type CultureWords } from '#modules/organisations/culture';
import { remotePolicies, salaryFields, type Job } from '#modules/matching/jobs';
import type { Organisation } from '#modules/organisations/orgs';
import { closedObject, nullable, text, uuid } from '#platform/schema.ts';
import { requirementNames, revealedFields, type Requirement } from './rules.ts';

const example_match = '5e1f0a77-0c1d-8a2b-8f00-000000000000';
const note_characters_max = 1000;

const match_id = Type.Unsafe<string>({
  ...uuid,
  description: 'The id of the match.',
  examples: [example_match],
});

/** A note of one side for the other. Null deletes it. */
export const noteInput = Type.Optional(
  nullable({
    ...text(note_characters_max),
    description:
      'A note that the other side reads with the contact, for example when to call. Null deletes an earlier note.',
    examples: ['Please call after five in the afternoon.'],
  }),
);

const note = nullable(
  Type.String({
    description: 'What this side wants the other to know; null if it left no note.',
    examples: ['Please call after five in the afternoon.'],
  }),
);

const buildFieldList = (names: readonly string[], description: string) =>
  Type.Array(Type.Enum([...names]), { description, examples: [names] });

/** What each side receives when the member accepts. */
const acceptanceWire = closedObject(
  {
    organisation_receives: buildFieldList(
      revealedFields.member,
      'The fields about the member that the organisation can read once the member has accepted.',
    ),
    member_receives: buildFieldList(
      revealedFields.organisation,
      'The fields about the organisation that the member can read once the member has accepted.',
    ),
    until: Type.String({
      description: 'When this ends, in words.',
      examples: ['Until the match ends or the member withdraws consent.'],
    }),
  },
  { description: 'What an acceptance reveals: exactly these fields, to exactly these two parties.' },
);

const acceptance: Static<typeof acceptanceWire> = {
  organisation_receives: [...revealedFields.member],
  member_receives: [...revealedFields.organisation],
  until:
    'Until the match ends, the member withdraws a consent that matching needs, or the account is closed.',
};

/** The job behind a match, for its member. The salary is what the job offers; no number is about a person. */
export const matchJobWire = closedObject(
  {
    match_id,
    title: Type.String({ description: 'The title of the job.', examples: ['Night nurse'] }),
    description: Type.String({
      description: 'What the work achieves.',
      examples: ['Patients sleep safely, and the ward is handed over in order.'],
    }),
    salary_min: Type.Unsafe<number | null>({
      ...salaryFields.salary_min,
      description: 'The lowest salary per year in whole units of the currency; null if it is not stated.',
      examples: [80_000],
    }),
    salary_max: Type.Unsafe<number | null>({
      ...salaryFields.salary_max,
      description: 'The highest salary per year in whole units of the currency; null if it is not stated.',
      examples: [95_000],
    }),
    salary_currency: Type.Unsafe<string | null>({
      ...salaryFields.salary_currency,
      description: 'ISO 4217 code, such as AUD; null if no salary is stated.',
      examples: ['AUD'],
    }),
    place: closedObject(
      {
        countries: Type.Array(Type.String(), {
          description: 'The countries in which the job can be done, as ISO 3166-1 codes; empty if any.',
          examples: [['AU']],
        }),
        states: Type.Array(Type.String(), {
          description: 'The states of the single country in which the job can be done; empty if any.',
          examples: [['NSW']],
        }),
      },
      { description: 'Where the job is.' },
    ),
    remote_policy: Type.Enum(remotePolicies, {
      description: 'Whether the work is done on site, remotely, or both.',
      examples: ['hybrid'],
    }),
    organisation: closedObject(
      {
        name: Type.String({ description: 'The name of the organisation.', examples: ['Harbour Health'] }),
        domain: nullable(
          Type.String({
            description:
              'An internet domain that the organisation has proven to be its own; null if it has proven none. Anyone can choose a name.',
            examples: ['harbour.example'],
          }),
        ),
        industry: nullable(
          Type.String({ description: 'Its industry; null if unknown.', examples: ['health'] }),
        ),
        website: nullable(
          Type.String({
            description: 'Its website; null if unknown.',
            examples: ['https://harbour.example'],
          }),
        ),
        culture: nullable(cultureWordsWire),
      },
      { description: 'Who offers the job.' },
    ),
    open: Type.Boolean({
      description:
        'Whether the match can proceed: the job is active, and its organisation is not suspended. A match can be declined in any case.',
      examples: [true],
    }),
    acceptance: acceptanceWire,
  },
  { $id: 'MatchJob' },
);

export function toMatchJobWire(
  match_id: string,
  job: Job,
  {
    name,
    domain,
    industry,
    website,
    suspended_at,
  }: Pick<Organisation, 'name' | 'industry' | 'website' | 'suspended_at'> & {
    readonly domain: string | null;
  },
  culture: CultureWords | null,
): Static<typeof matchJobWire> {
  const { title, outcome_description, salary_min, salary_max, salary_currency, remote_policy } = job;
  const { location_countries = [], location_states = [] } = job.constraints;
  return {
    match_id,
    title,
    description: outcome_description,
    salary_min,
    salary_max,
    salary_currency,
    place: { countries: [...location_countries], states: [...location_states] },
    remote_policy,
    organisation: {
      name,
      domain,
      industry,
      website,
      culture: culture && { ...culture, values: [...culture.values], trust: [...culture.trust] },
    },
    open: job.status === 'active' && suspended_at === null,
    acceptance,
  };
}

/** A requirement of a job, and whether a member meets it. */
export const requirementWire = closedObject({
  requirement: Type.Enum(requirementNames, {
    description: 'The field of the job.',
    examples: ['years_experience_min'],
  }),
  asked: Type.String({
    description: 'What the job asked for, in words.',
    examples: ['Has at least 5 years of experience.'],
  }),
  met: Type.Boolean({
    description: 'Whether the member’s profile meets it. The value itself is not revealed.',
    examples: [true],
  }),
});

/** The requirements of the job behind a match, each met or not, for its organisation. */
export const requirementsWire = closedObject(
  {
    match_id,
    requirements: Type.Array(requirementWire, {
      description: 'The requirements that the job had when the organisation became interested.',
    }),
    acceptance: acceptanceWire,
  },
  { $id: 'MatchRequirements' },
);

export function toRequirementsWire(
  match_id: string,
  requirements: readonly Requirement[],
): Static<typeof requirementsWire> {
  return { match_id, requirements: [...requirements], acceptance };
}

const memberFields = {
  display_name: Type.String({ description: 'The name that the member uses.', examples: ['Ada Lind'] }),
  email: Type.String({ description: 'The member’s email address.', examples: ['ada@example.org'] }),
  note,
} satisfies Record<(typeof revealedFields.member)[number], unknown>;

const organisationFields = {
  name: Type.String({ description: 'The name of the organisation.', examples: ['Harbour Health'] }),
  contact_name: nullable(
    Type.String({
      description: 'The name of the user to write to; null if the user gave none.',
      examples: ['Grace Hart'],
    }),
  ),
  contact_email: nullable(
    Type.String({
      description: 'The email address of that user; null if the organisation has no active user.',
      examples: ['grace@harbour.example'],
    }),
  ),
  note,
} satisfies Record<(typeof revealedFields.organisation)[number], unknown>;

/** How the two sides of a match reach each other. */
export const contactWire = closedObject(
  {
    member: closedObject(memberFields, { description: 'How to reach the member.' }),
    organisation: closedObject(organisationFields, { description: 'How to reach the organisation.' }),
  },
  { $id: 'MatchContact' },
);
