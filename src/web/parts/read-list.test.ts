import { expect, test } from 'vitest';
import { readList } from './read-list.ts';

test('a list is read with any separator, without empty and repeated entries', () => {
  expect(readList(' NSW, VIC;NSW\n\nQLD ,')).toEqual(['NSW', 'VIC', 'QLD']);
  expect(readList('   ')).toEqual([]);
});
