import { expect, test } from 'vitest';
import { createSeededRandom, drawBelow, drawStandardNormal, pickOne } from './seeded-random.ts';

const many = Array.from({ length: 20_000 });

test('the same seed gives the same numbers, and another seed gives other numbers', () => {
  const drawNumbers = (seed: number) => many.slice(0, 10).map(createSeededRandom(seed));
  expect(drawNumbers(7)).toEqual(drawNumbers(7));
  expect(drawNumbers(7)).not.toEqual(drawNumbers(8));
});

test('normal numbers have mean 0 and variance 1', () => {
  const random = createSeededRandom(1);
  const numbers = many.map(() => drawStandardNormal(random));
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
});

test('picks every item and every number of the range, and nothing else', () => {
  const random = createSeededRandom(2);
  expect(new Set(many.map(() => pickOne(random, ['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
  expect(new Set(many.map(() => drawBelow(random, 4)))).toEqual(new Set([0, 1, 2, 3]));
});
