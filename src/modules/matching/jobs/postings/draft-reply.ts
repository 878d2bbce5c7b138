import { Type, type Static } from 'typebox';
import { continuousTraits } from '#modules/measurement/traits';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  constraintsWire,
  externalRef,
  jobStatuses,
  remotePolicies,
  salaryFields,
  traitPrioritiesWire,
} from '../field-schemas.ts';
import type { Job } from '../resource.ts';
import { templateWire, toTemplateWire } from '../wire.ts';
import { compareJob } from './compare-job.ts';
import { draftFindings, type JobDraft } from './draft-job.ts';

/** The most drafts that one import makes. */
export const postings_max = 50;

const reasonWire = closedObject({
  trait_name: field(Type.Enum(continuousTraits), 'The code of the trait.', 'pressure_response'),
  words: field(
    Type.Array(Type.String(), { maxItems: 5 }),
    'The words of the text that ask for the trait, as they are written; empty if only the occupation speaks for it.',
    ['keep calm', 'emergencies'],
  ),
  by_occupation: field(
    Type.Boolean(),
    'Whether the trait is among the five that the ratings of the occupation speak for most.',
    true,
  ),
});

/** What a posting can say of a job, with its names in a change of the job. */
const comparedWire = closedObject({
  title: Type.Optional(Type.String()),
  outcome_description: Type.Optional(Type.String()),
  remote_policy: Type.Optional(Type.Enum(remotePolicies)),
  constraints: Type.Optional(constraintsWire),
  salary_min: Type.Optional(salaryFields.salary_min),
  salary_max: Type.Optional(salaryFields.salary_max),
  salary_currency: Type.Optional(salaryFields.salary_currency),
});

const knownJobWire = closedObject({
  id: field(uuid, 'The id of the job.', sampleIds.job),
  title: Type.String(),
  status: field(Type.Enum(jobStatuses), 'The status of the job: only an active one is matched.', 'active'),
  current: field(comparedWire, 'The fields that differ, as the job has them.', { title: 'Nurse' }),
  posted: field(
    comparedWire,
    'The same fields as the posting says them: what `PATCH /orgs/me/jobs/{job_id}` takes to accept the change. What the posting does not say is no difference.',
    { title: 'Registered nurse' },
  ),
});

/** A draft of a job. Its fields are those of `POST /orgs/me/jobs`; null and empty ones are for a person to fill in. */
export const draftWire = closedObject(
  {
    external_ref: field(
      nullable(externalRef),
      'What the publisher calls the posting: its id on the board, its identifier or its address. A job with it is recognised when the posting is imported again. Null if it has none.',
      'ats-4711',
    ),
    job: field(
      nullable(knownJobWire),
      'The newest job of the organisation with this `external_ref`, and what differs from it; null if there is none.',
    ),
    title: nullable(Type.String()),
    outcome_description: field(
      nullable(Type.String()),
      'The text of the posting, without HTML, as far as that of a job can be long; null if it has none.',
      'You keep calm in emergencies, work in a team, and listen to patients.',
    ),
    is_shortened: field(Type.Boolean(), 'Whether the text was longer than that of a job can be.', false),
    finding: field(
      Type.Enum(draftFindings),
      '`proposed`: see the priorities and their reasons. `nothing_found`: no word of the text asks for a trait, and the occupation is not known. `not_english`: the text is in another language, so nothing was proposed.',
      'proposed',
    ),
    trait_priorities: traitPrioritiesWire,
    reasons: field(
      Type.Array(reasonWire, { maxItems: 5 }),
      'Why each trait is proposed, the strongest first. The same text always leads to the same.',
    ),
    occupation: field(
      nullable(
        closedObject({
          template: templateWire,
          words: field(
            Type.String(),
            'The words of the title that name it; empty if the posting has its code.',
            'Registered nurse',
          ),
        }),
      ),
      'The occupation that the title names, or the posting by its O*NET code; null if there is none.',
    ),
    remote_policy: Type.Optional(
      field(
        Type.Enum(remotePolicies),
        'Where the work is done, if the posting says that it is remote.',
        'remote',
      ),
    ),
    constraints: Type.Optional(constraintsWire),
    salary_min: Type.Optional(salaryFields.salary_min),
    salary_max: Type.Optional(salaryFields.salary_max),
    salary_currency: Type.Optional(salaryFields.salary_currency),
  },
  { $id: 'JobDraft', description: 'What a posting says, as a draft of a job.' },
);

/** What an import replies. */
export const importReply = closedObject({
  drafts: field(
    Type.Array(draftWire, { maxItems: postings_max }),
    `One draft for each job, at most ${postings_max}.`,
  ),
  left_out: field(Type.Integer({ minimum: 0 }), 'How many further jobs there are.', 0),
});

/** @param job The job that is known by the reference of the posting. */
export function toDraftWire(drafted: JobDraft, job: Job | undefined): Static<typeof draftWire> {
  const { fields, occupation, ...draft } = drafted;
  return {
    ...draft,
    job: job ? { id: job.id, title: job.title, status: job.status, ...compareJob(job, drafted) } : null,
    reasons: draft.reasons.map(({ words, ...reason }) => ({ ...reason, words: [...words] })),
    occupation: occupation
      ? { template: toTemplateWire(occupation.template), words: occupation.words }
      : null,
    ...fields,
  };
}
