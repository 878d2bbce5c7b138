import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLengthsLazily } from './text-length.ts';

const plain = new Ajv2020({ allErrors: true });
const lazy = new Ajv2020({ allErrors: true });
countLengthsLazily(lazy);

/** Letters of one unit and of two, and halves of the latter. */
const text = fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), { maxLength: 12 });

test('a text is found too long or too short exactly where counting all its characters finds it so', () => {
  for (let minLength = 0; minLength <= 8; minLength++) {
    const schema = { type: 'string', minLength, maxLength: minLength + 2 };
    const [expected, found] = [plain.compile(schema), lazy.compile(schema)];
    fc.assert(
      fc.property(text, (characters) => {
        const value = characters.join('');
        expect(found(value)).toBe(expected(value));
        expect(found.errors?.map(({ message, params }) => [message, params])).toEqual(
          expected.errors?.map(({ message, params }) => [message, params]),
        );
      }),
    );
  }
});
