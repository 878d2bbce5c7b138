import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { buildPage } from '#lib/cursor.ts';
import { closedObject } from '#platform/schema.ts';
import { buildPageSchema, pageQuery } from './paging.ts';

const query = closedObject(pageQuery);
const names = buildPageSchema(closedObject({ name: Type.String() }));

test('a page has 20 rows by default and at most 100', () => {
  expect(Value.Default(query, {})).toEqual({ limit: 20 });
  const accepted = [0, 1, 100, 101, 1.5, '20'].filter((limit) => Value.Check(query, { limit }));
  expect(accepted).toEqual([1, 100]);
});

test('a cursor is optional and has at most 512 characters', () => {
  const accepted = ['', 'a', 'a'.repeat(512), 'a'.repeat(513), 5, null].filter((cursor) =>
    Value.Check(query, { limit: 1, cursor }),
  );
  expect(accepted).toEqual(['', 'a', 'a'.repeat(512)]);
});

test('a built page matches the schema, on the last page and before it', () => {
  const rows = [{ name: 'a' }, { name: 'b' }];
  for (const limit of [1, 2]) {
    const page = buildPage({ rows, limit, total_count: 2, next: ({ name }) => name });
    expect(Value.Check(names, page)).toBe(true);
    const { next_cursor }: Static<typeof names>['pagination'] = page.pagination;
    expect(next_cursor).toBe(limit === 1 ? 'a' : null);
  }
});

test('refuses a field that the schema does not name, at any level of the envelope', () => {
  const pagination = { next_cursor: null, has_more: false, total_count: 0 };
  const leaks = [
    { data: [], pagination, more: 1 },
    { data: [], pagination: { ...pagination, more: 1 } },
    { data: [{ name: 'a', more: 1 }], pagination },
    { data: [] },
  ];
  expect(leaks.filter((leak) => Value.Check(names, leak))).toEqual([]);
});
