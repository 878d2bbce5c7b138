import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints, last_character } from './code-points.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });

test('the texts from a beginning to the beginning with the last character are those that begin with it', () => {
  fc.assert(
    fc.property(text, text, text, (start, rest, other) => {
      const isInRange = (name: string) =>
        compareCodePoints(start, name) <= 0 && compareCodePoints(name, `${start}${last_character}`) < 0;
      expect(isInRange(`${start}${rest}`)).toBe(true);
      expect(isInRange(other)).toBe(other.startsWith(start));
    }),
  );
});

test('code points are compared, and not the halves of which some consist', () => {
  const [one, other] = ['\u{ffff}', '\u{10000}'];
  expect(compareCodePoints(one, other)).toBeLessThan(0);
  expect([one, other].toSorted((first, second) => (first < second ? -1 : 1))).toEqual([other, one]);
});
