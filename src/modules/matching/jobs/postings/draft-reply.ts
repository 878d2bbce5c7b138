import { Type, type Static } from 'typebox';
import { continuousTraits } from '#modules/measurement/traits';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { constraintsWire, remotePolicies, salaryFields, traitPrioritiesWire } from '../field-schemas.ts';
import { templateWire, toTemplateWire } from '../wire.ts';
import { draftFindings, type JobDraft } from './draft-job.ts';

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

/** A draft of a job. Its fields are those of `POST /orgs/me/jobs`; null and empty ones are for a person to fill in. */
export const draftWire = closedObject(
  {
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
  { $id: 'JobDraft' },
);

export function toDraftWire({ fields, occupation, ...draft }: JobDraft): Static<typeof draftWire> {
  return {
    ...draft,
    reasons: draft.reasons.map(({ words, ...reason }) => ({ ...reason, words: [...words] })),
    occupation: occupation
      ? { template: toTemplateWire(occupation.template), words: occupation.words }
      : null,
    ...fields,
  };
}
