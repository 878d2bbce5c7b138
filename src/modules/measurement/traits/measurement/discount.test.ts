import { expect, test } from 'vitest';
import { discountChoices, discountMoments, discountProbability } from './discount.ts';

test('trusted answers keep their measurement, and answers without any trust lead to anybody', () => {
  expect(discountMoments({ mean: 1.2, variance: 0.15 }, 1)).toEqual({ mean: 1.2, variance: 0.15 });
  expect(discountMoments({ mean: 1.2, variance: 0.15 }, 0)).toEqual({ mean: 0, variance: 1 });
  expect(discountProbability(0.7, 5, 1)).toBe(0.7);
  expect(discountProbability(0.7, 5, 0)).toBe(0.2);
});

test('takes the mean of what the answers say and of what is known about anybody', () => {
  expect(discountMoments({ mean: 1.5, variance: 0.1 }, 1 / 3)).toEqual({
    mean: 0.5,
    variance: expect.closeTo(0.7, 12),
  });
  expect(discountProbability(0.6, 5, 0.5)).toBeCloseTo(0.4, 12);
  const choices = {
    distribution: [
      { value: 'a', probability: 0.8 },
      { value: 'b', probability: 0.2 },
    ],
    confidence: 0.9,
  };
  expect(discountChoices(choices, 0.5)).toEqual({
    distribution: [
      { value: 'a', probability: 0.65 },
      { value: 'b', probability: 0.35 },
    ],
    confidence: 0.7,
  });
});
