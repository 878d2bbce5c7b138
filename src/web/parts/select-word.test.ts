import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectWord } from './select-word.ts';

const words = ['none', 'little', 'some', 'much', 'most'];

test('the first word is for zero only, and the last for the last part', () => {
  expect([0, 0.05, 0.25, 0.3, 0.75, 0.8, 1].map((place) => selectWord(words, place))).toEqual([
    'none',
    'little',
    'little',
    'some',
    'much',
    'most',
    'most',
  ]);
});

test('every place has a word, and a higher place never has an earlier one', () => {
  const place = fc.double({ min: -1, max: 2, noNaN: true });
  fc.assert(
    fc.property(place, place, (one, other) => {
      const find = (each: number) => words.indexOf(selectWord(words, each));
      expect(find(one)).toBeGreaterThanOrEqual(0);
      expect(find(Math.max(one, other))).toBeGreaterThanOrEqual(find(Math.min(one, other)));
    }),
  );
});
