import { expect, test } from 'vitest';
import { removeAbsentMembers } from './absent-values.ts';

test.each<[unknown, unknown]>([
  [{ id: 1, params: null }, { id: 1 }],
  [
    { id: 1, params: { name: 'a', arguments: null, _meta: null } },
    { id: 1, params: { name: 'a' } },
  ],
  [
    { id: 1, params: { cursor: null } },
    { id: 1, params: {} },
  ],
  [
    { id: null, params: { arguments: { a: null } } },
    { id: null, params: { arguments: { a: null } } },
  ],
  [
    { id: 1, params: [] },
    { id: 1, params: [] },
  ],
  [null, null],
  ['x', 'x'],
])('a member of a message that is null is absent: %j', (message, read) => {
  expect(removeAbsentMembers(message)).toEqual(read);
});
