import { expect, test } from 'vitest';
import { minimum_respondents, countMissingRespondents } from './rules.ts';

test('a version needs five respondents, and more may answer', () => {
  expect([0, 1, 4, 5, 6, 500].map(countMissingRespondents)).toEqual([5, 4, 1, 0, 0, 0]);
  expect(minimum_respondents).toBe(5);
});
