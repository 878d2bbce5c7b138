import { Type } from 'typebox';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { identityAnswers, type SelfIdentification } from './rules.ts';

const fields = {
  gender: field(nullable(Type.Enum(identityAnswers.gender)), 'Your gender; null to say nothing.', 'woman'),
  age_band: field(
    nullable(Type.Enum(identityAnswers.age_band)),
    'How old you are, as a range; null to say nothing.',
    '35_to_44',
  ),
  ethnicity: field(
    nullable(Type.Enum(identityAnswers.ethnicity)),
    'The group with which you identify; null to say nothing.',
    'asian',
  ),
  disability: field(
    nullable(Type.Enum(identityAnswers.disability)),
    'Whether you have a disability; null to say nothing.',
    'no',
  ),
};

/** The answers in a request. A question that is left out stays open. */
export const selfIdentificationInput = Type.Partial(Type.Object(fields));

/** The answers of a member. */
export const selfIdentificationWire = Type.Unsafe<SelfIdentification>(
  closedObject(fields, { $id: 'SelfIdentification' }),
);
