import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { buildPage } from '#lib/cursor.ts';
import { buildPageSchema, pageQuery } from './paging.ts';

const query = Type.Object(pageQuery, { additionalProperties: false });
const names = buildPageSchema(Type.Object({ name: Type.String() }, { additionalProperties: false }));

test('a page has 20 rows unless asked, and never more than 100', () => {
  expect(Value.Default(query, {})).toEqual({ limit: 20 });
  const accepted = [0, 1, 100, 101, 1.5, '20'].filter((limit) => Value.Check(query, { limit }));
  expect(accepted).toEqual([1, 100]);
});

test('a cursor is optional, and a text of 1 to 512 characters', () => {
  const accepted = ['', 'a', 'a'.repeat(512), 'a'.repeat(513), 5, null].filter((cursor) =>
    Value.Check(query, { limit: 1, cursor }),
  );
  expect(accepted).toEqual(['a', 'a'.repeat(512)]);
});

test('what page() makes fits the schema, on the last page as before it', () => {
  const rows = [{ name: 'a' }, { name: 'b' }];
  for (const limit of [1, 2]) {
    const made = buildPage({ rows, limit, total_count: 2, next: ({ name }) => name });
    expect(Value.Check(names, made)).toBe(true);
    const { next_cursor }: Static<typeof names>['pagination'] = made.pagination;
    expect(next_cursor).toBe(limit === 1 ? 'a' : null);
  }
});

test('a field that the schema does not name cannot leave, at any level of the envelope', () => {
  const pagination = { next_cursor: null, has_more: false, total_count: 0 };
  const leaks = [
    { data: [], pagination, more: 1 },
    { data: [], pagination: { ...pagination, more: 1 } },
    { data: [{ name: 'a', more: 1 }], pagination },
    { data: [] },
  ];
  expect(leaks.filter((leak) => Value.Check(names, leak))).toEqual([]);
});
