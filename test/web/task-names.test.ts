import { expect, test } from 'vitest';
import { taskTable } from '../../src/tables/tasks.ts';
import { english } from '../../src/web/texts/english.ts';

test('every background task has a name in words, and no two have the same', () => {
  const { taskNames } = english;
  expect(Object.keys(taskNames).toSorted()).toEqual(taskTable.map(({ name }) => name).toSorted());
  expect(new Set(Object.values(taskNames)).size).toBe(taskTable.length);
});
