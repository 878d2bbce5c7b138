import { Type } from 'typebox';
import { newSinceWire } from '#modules/matching/jobs';
import { traitCodes } from '#modules/measurement/traits';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import { requirementWire } from '../contact/wire.ts';
import { confidenceStatements } from '../explanations/explanation-words.ts';
import { labels, note } from '../private-notes/wire.ts';
import { matchWire, standingFields } from '../wire.ts';
import { turns } from './rules.ts';

const states = ['strength', 'unclear', 'growth', 'not_described'] as const;

/** What is known about a trait that the job asks for most: what the explanation of the match says, in its own sentence. */
const priorityWire = closedObject({
  trait: field(Type.Enum(traitCodes), 'A trait that the job asks for most.', 'persistence'),
  state: field(
    Type.Enum(states),
    'Whether it is clearly above average, clearly below it, or neither; `not_described` for traits about which organisations read nothing.',
    'strength',
  ),
  ...standingFields,
  reason: field(
    Type.String({ pattern: '^\\D*$' }),
    'The sentence of the explanation.',
    'Persistence is above average in this person.',
  ),
});

/** A person in the table of a job. */
export const tableRowWire = closedObject(
  {
    match: matchWire,
    is_new: field(Type.Boolean(), 'Whether the person was added after your visit before this one.', true),
    waits_for: field(
      nullable(Type.Enum(turns)),
      'Whose turn it is; null if nobody has to do anything.',
      'organisation',
    ),
    priorities: field(
      nullable(Type.Array(priorityWire)),
      'What the explanation says about the traits that the job asks for most; null while it is being written, and for people about whom nothing may be read any more.',
    ),
    confidence_statement: field(
      nullable(Type.Enum(Object.values(confidenceStatements))),
      'How probable it is that another assessment gives the same tier; null like `priorities`.',
    ),
    requirements: field(
      nullable(Type.Array(requirementWire)),
      'The requirements that the job had when the match was computed; null for people about whom nothing may be read any more.',
    ),
    note,
    labels,
  },
  { $id: 'TableRow' },
);

/** What the reply says about the table as a whole, beside its rows. */
export const tableFieldsWire = {
  new_since: newSinceWire,
  labels: field(
    Type.Array(Type.String()),
    'The labels that the organisation has given people of this job, in the order of the alphabet; at most a hundred.',
    ['second round'],
  ),
  is_being_written: field(
    Type.Boolean(),
    'Whether explanations of people on this page are still being written. Read the table again after a few seconds.',
    false,
  ),
  task_id: field(
    nullable(uuid),
    'The task that writes missing explanations, if this request has started one; otherwise null.',
    null,
  ),
};
