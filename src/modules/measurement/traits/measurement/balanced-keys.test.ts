import { expect, test } from 'vitest';
import { selectRarerKey } from './balanced-keys.ts';

const plus = {};
const minus = { reversed: true } as const;

test('selects the key that was asked less often by two', () => {
  expect(selectRarerKey([plus, minus, plus], [plus, plus])).toEqual([minus]);
  expect(selectRarerKey([plus, minus, plus], [minus, minus])).toEqual([plus, plus]);
  expect(selectRarerKey([plus, minus], [plus, plus, minus, plus])).toEqual([minus]);
});

test('returns all candidates while the keys differ by one at most, or if none of the rarer key is left', () => {
  expect(selectRarerKey([plus, minus], [])).toEqual([plus, minus]);
  expect(selectRarerKey([plus, minus], [minus])).toEqual([plus, minus]);
  expect(selectRarerKey([plus, minus], [minus, plus])).toEqual([plus, minus]);
  expect(selectRarerKey([plus], [plus, plus])).toEqual([plus]);
});
