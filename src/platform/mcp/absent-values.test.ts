import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { closedObject, nullable } from '#platform/schema.ts';
import { removeAbsentArguments, removeAbsentMembers } from './absent-values.ts';

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

const schema = closedObject({
  needed: Type.String(),
  limit: Type.Optional(Type.Integer()),
  size: Type.Integer({ default: 20 }),
  kind: Type.Optional(Type.Enum(['a', 'b'])),
  note: Type.Optional(nullable(Type.String())),
  state: Type.Optional(nullable(Type.Enum(['a']))),
});

test('an argument that is null is absent if it may be, and null has no meaning for it', () => {
  const given = { needed: null, limit: null, size: null, kind: null, note: null, state: null, other: null };
  expect(removeAbsentArguments(schema, given)).toEqual({
    needed: null,
    note: null,
    state: null,
    other: null,
  });
  expect(removeAbsentArguments(schema, [null])).toEqual([null]);
});
