import { Type, type Static, type TSchema } from 'typebox';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { identityChoices, type OfferedChoices, type SelfIdentification } from './rules.ts';

/** The schema of several answers of a question. */
const buildListSchema = <Choice extends TSchema>(choice: Choice) =>
  Type.Array(choice, { maxItems: choices_max, uniqueItems: true });

const choices_max = 10;

const fields = {
  gender: field(buildListSchema(Type.Enum(identityChoices.gender)), 'Your gender; empty to say nothing.', [
    'woman',
  ]),
  age_band: field(
    nullable(Type.Enum(identityChoices.age_band)),
    'How old you are, as a range; null to say nothing.',
    '35_to_44',
  ),
  ethnicity: field(
    buildListSchema(Type.Enum(identityChoices.ethnicity)),
    'The groups with which you identify; empty to say nothing.',
    ['asian', 'white'],
  ),
  disability: field(
    nullable(Type.Enum(identityChoices.disability)),
    'Whether you have a disability; null to say nothing.',
    'no',
  ),
};

/** The answers in a request. A question that is left out stays open. */
export const selfIdentificationInput = Type.Partial(Type.Object(fields));

/** The answers of a member, and what can be answered. */
export const selfIdentificationWire = closedObject(
  {
    ...fields,
    country: field(
      nullable(Type.String()),
      'The country of your profile, which decides what is asked; null if you have given none.',
      'AU',
    ),
    offered: field(
      closedObject({
        gender: field(buildListSchema(Type.Enum(identityChoices.gender)), 'The genders to choose from.', [
          'woman',
          'man',
        ]),
        age_band: field(
          buildListSchema(Type.Enum(identityChoices.age_band)),
          'The ranges of age to choose from.',
          ['25_to_34', '35_to_44'],
        ),
        ethnicity: field(
          buildListSchema(Type.Enum(identityChoices.ethnicity)),
          'The ethnic groups to choose from.',
          ['asian', 'white'],
        ),
        disability: field(
          buildListSchema(Type.Enum(identityChoices.disability)),
          'The answers about a disability.',
          ['yes', 'no'],
        ),
      }),
      'The answers to each question in this country; empty where the question is not asked.',
    ),
  },
  { $id: 'SelfIdentification' },
);

export function toSelfIdentificationWire(
  { gender, age_band, ethnicity, disability }: SelfIdentification,
  country: string | null,
  offered: OfferedChoices,
): Static<typeof selfIdentificationWire> {
  return {
    gender: [...gender],
    age_band,
    ethnicity: [...ethnicity],
    disability,
    country,
    offered: {
      gender: [...offered.gender],
      age_band: [...offered.age_band],
      ethnicity: [...offered.ethnicity],
      disability: [...offered.disability],
    },
  };
}
