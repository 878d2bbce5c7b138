import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { toClaimedTraits, traitVectorWire } from '../wire.ts';
import { measureExample } from './measure-example.ts';

const { traits, categorical_traits, provisional } = traitVectorWire.properties;

export const readExampleTraits = operation({
  name: 'traits.readExampleTraits',
  title: 'Read the traits of a fictional person',
  summary:
    'Returns what a member would read about themselves, for a person who does not exist: their answers are fixed, and are measured as those of members are.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      answered: field(Type.Integer({ minimum: 0 }), 'How many items the fictional person has answered.', 108),
      provisional,
      traits,
      categorical_traits,
    }),
  },
  run: async (context) => {
    const measured = await measureExample(context, context.database);
    return {
      answered: measured.answer_count,
      provisional: measured.provisional,
      ...toClaimedTraits(measured.vector),
    };
  },
});
