import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { listOptionTexts, type Item } from '../items/item.ts';
import { computePublicId } from '../items/public-id.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { example_item_id } from '../wire.ts';
import {
  chooseVolunteerItem,
  loadLockedVolunteer,
  requireVolunteers,
  type LoadedVolunteer,
} from './load-volunteer.ts';
import { addAnswer } from './store.ts';
import { codeInput, toVolunteerWire, volunteerWire } from './volunteer-reply.ts';

const options_max = 10;
const response_time_ms_max = 3_600_000;

export const answerVolunteerItem = operation({
  name: 'traits.answerVolunteerItem',
  title: 'Answer an item for science',
  summary:
    'Answers the item that a test asks. The first answer to an item counts. The last reply has the result.',
  who: 'anyone',
  input: closedObject({
    code: codeInput,
    item_id: field(Type.String({ minLength: 1, maxLength: 100 }), 'The id of next_item.', example_item_id),
    option: field(
      Type.Integer({ minimum: 0, maximum: options_max }),
      'The chosen option; 0 is the first.',
      3,
    ),
  }),
  output: { 200: volunteerWire },
  refuses: ['route_not_found', 'volunteer_not_found', 'item_not_asked', 'option_out_of_range'],
  run: (context, { code, item_id, option }) => {
    requireVolunteers(context);
    return context.transaction(async (tx) => {
      const loaded = await loadLockedVolunteer(context, tx, code);
      const { volunteer, answers: before, bank } = loaded;
      const asked = requireAsked(loaded, item_id, option);
      const now = context.now();
      const passed_ms = Math.max(0, now.getTime() - volunteer.asked_at.getTime());
      const response_time_ms = Math.min(response_time_ms_max, passed_ms);
      const answers = [...before, { item_id: asked.id, option, response_time_ms }];
      const next = chooseVolunteerItem(answers, volunteer.id, bank);
      const quality_flags = next ? [] : measureAnswers(answers, bank).quality_flags;
      const asked_id = next?.id ?? null;
      await addAnswer(tx, volunteer.id, answers.at(-1)!, { asked_id, quality_flags, now });
      return toVolunteerWire(code, { volunteer: { ...volunteer, asked_id }, answers, bank });
    });
  },
});

/** @throws Refusal `item_not_asked`, `option_out_of_range`. */
function requireAsked({ volunteer, bank }: LoadedVolunteer, item_id: string, option: number): Item {
  const asked = volunteer.asked_id === null ? undefined : bank.itemsById.get(volunteer.asked_id);
  if (!asked || computePublicId(asked.id) !== item_id) throw new Refusal('item_not_asked');
  if (option >= listOptionTexts(asked).length)
    throw createFieldRefusal('option_out_of_range', '/option', 'must be the index of an option of the item');
  return asked;
}
