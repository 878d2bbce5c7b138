import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkLengthsFirst } from './text-length.ts';

const plain = new Ajv2020({ allErrors: true });
const lazy = new Ajv2020({ allErrors: true });
checkLengthsFirst(lazy);

/** Characters of one and of two UTF-16 units, and halves of the latter. */
const text = fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), { maxLength: 12 });

test('gives the same result as counting all characters', () => {
  for (let minLength = 0; minLength <= 8; minLength++) {
    const schema = { type: 'string', minLength, maxLength: minLength + 2 };
    const [checkPlainly, checkLazily] = [plain.compile(schema), lazy.compile(schema)];
    fc.assert(
      fc.property(text, (characters) => {
        const value = characters.join('');
        expect(checkLazily(value)).toBe(checkPlainly(value));
        expect(checkLazily.errors?.map(({ message, params }) => [message, params])).toEqual(
          checkPlainly.errors?.map(({ message, params }) => [message, params]),
        );
      }),
    );
  }
});

test('gives the same result for patterns, of which no text beyond twice its limit is tested', () => {
  const schema = { type: 'string', maxLength: 4, pattern: '^[aé😀]*$' };
  const [checkPlainly, checkLazily] = [plain.compile(schema), lazy.compile(schema)];
  const readKeywords = ({ errors }: typeof checkLazily) => errors?.map(({ keyword }) => keyword).toSorted();
  fc.assert(
    fc.property(text, (characters) => {
      const value = characters.join('');
      expect(checkLazily(value)).toBe(checkPlainly(value));
      const expected = readKeywords(checkPlainly);
      expect(readKeywords(checkLazily)).toEqual(value.length > 8 ? ['maxLength'] : expected);
    }),
  );
  const open = { type: 'string', pattern: '^a*$' };
  expect(lazy.compile(open)('a'.repeat(100))).toBe(true);
  expect(lazy.compile(open)(`${'a'.repeat(100)}b`)).toBe(false);
});
