import { Type } from 'typebox';
import { field } from '#platform/schema.ts';

/** The fields that name a version of a bank. Both names can have any characters: operators choose them. */
export const versionInputs = {
  bank: field(
    Type.String({ minLength: 1, maxLength: 100 }),
    'The bank of statements; ours is `tessera`.',
    'tessera',
  ),
  version: field(
    Type.String({ minLength: 1, maxLength: 200 }),
    'The version of its parameters.',
    'mvp20-2.correlated',
  ),
};
