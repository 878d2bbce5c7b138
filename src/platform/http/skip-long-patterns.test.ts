import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { skipLongPatterns } from './skip-long-patterns.ts';

const plain = new Ajv2020({ allErrors: true });
const skipping = new Ajv2020({ allErrors: true });
skipLongPatterns(skipping);

/** Characters of one and of two UTF-16 units, and halves of the latter. */
const text = fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00'), { maxLength: 12 });

test('gives the same result for patterns, of which no text beyond twice its limit is tested', () => {
  const schema = { type: 'string', maxLength: 4, pattern: '^[aé😀]*$' };
  const [checkPlainly, checkBriefly] = [plain.compile(schema), skipping.compile(schema)];
  const readKeywords = ({ errors }: typeof checkBriefly) => errors?.map(({ keyword }) => keyword).toSorted();
  fc.assert(
    fc.property(text, (characters) => {
      const value = characters.join('');
      expect(checkBriefly(value)).toBe(checkPlainly(value));
      const expected = readKeywords(checkPlainly);
      expect(readKeywords(checkBriefly)).toEqual(value.length > 8 ? ['maxLength'] : expected);
    }),
  );
  const open = { type: 'string', pattern: '^a*$' };
  expect(skipping.compile(open)('a'.repeat(100))).toBe(true);
  expect(skipping.compile(open)(`${'a'.repeat(100)}b`)).toBe(false);
});
