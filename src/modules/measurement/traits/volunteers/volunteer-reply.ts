import { Type, type Static } from 'typebox';
import { closedObject, field } from '#platform/schema.ts';
import { describeAnswers, insightFields, toItemWire } from '../mirror/mirror-reply.ts';
import { english } from '../items/languages.ts';
import { assessmentWire, languageField } from '../wire.ts';
import type { LoadedVolunteer } from './load-volunteer.ts';
import { volunteer_items } from './rules.ts';

const sample_code = 'hV0mC8y1Qm2bT6o3wzJ4Kw';

/** The code of a test. Any text may be sent; one that is no code of this service is not found. */
export const codeInput = field(
  Type.String({ minLength: 1, maxLength: 60 }),
  'The code of the test, from the reply that began it.',
  sample_code,
);

const resultWire = closedObject(insightFields, { $id: 'VolunteerResult' });

/** The test of somebody who answers for science. */
export const volunteerWire = closedObject(
  {
    code: field(
      Type.String(),
      'Anyone who has this code can read the result, and delete the answers.',
      sample_code,
    ),
    answered: field(Type.Integer({ minimum: 0 }), 'How many items were answered.', 12),
    most: field(Type.Integer({ minimum: 1 }), 'After how many items it ends.', volunteer_items),
    language: languageField,
    next_item: assessmentWire.properties.next_item,
    result: field(
      Type.Union([resultWire, Type.Null()]),
      'What the answers say; null before the end, so that it changes no answer.',
      null,
    ),
    is_second: field(Type.Boolean(), 'Whether it is the second test of the same person.', false),
    is_invited: field(
      Type.Boolean(),
      'Whether a confirmed address waits for the invitation to a second test.',
      false,
    ),
  },
  { $id: 'Volunteer' },
);

/** Builds the reply about a test. */
export function toVolunteerWire(
  code: string,
  { volunteer, answers, bank }: LoadedVolunteer,
): Static<typeof volunteerWire> {
  const { asked_id, first_id, invite_at } = volunteer;
  const asked = asked_id === null ? undefined : bank.itemsById.get(asked_id);
  return {
    code,
    answered: answers.length,
    most: volunteer_items,
    language: bank.language ?? english,
    next_item: asked ? toItemWire(asked) : null,
    result: asked_id === null ? describeAnswers(answers, bank) : null,
    is_second: first_id !== null,
    is_invited: invite_at !== null,
  };
}
