import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { languagesField } from '../wire.ts';
import { requireVolunteers } from './load-volunteer.ts';
import { volunteer_items, volunteer_minutes, volunteerConsent } from './rules.ts';

export const readVolunteerTerms = operation({
  name: 'traits.readVolunteerTerms',
  title: 'Read what volunteers agree to',
  summary:
    'Says what somebody agrees to who answers for science, without an account, and how long it takes. Services that ask no volunteers reply with 404.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      version: field(Type.String(), 'The version of the text.', volunteerConsent.version),
      text: field(Type.Array(Type.String()), 'What volunteers agree to, one sentence or two at a time.', [
        volunteerConsent.text[0],
      ]),
      items: field(Type.Integer({ minimum: 1 }), 'How many items are asked.', volunteer_items),
      minutes: field(Type.Integer({ minimum: 1 }), 'About how long it takes.', volunteer_minutes),
      languages: languagesField,
    }),
  },
  refuses: ['route_not_found'],
  run: async (context) => {
    requireVolunteers(context);
    const { database } = context;
    const { version, text } = volunteerConsent;
    const sentences: string[] = [...text];
    const bank = await loadItemBank(context, database, await resolveVersionInUse(database));
    return {
      version,
      text: sentences,
      items: volunteer_items,
      minutes: volunteer_minutes,
      languages: listBankLanguages(bank),
    };
  },
});
