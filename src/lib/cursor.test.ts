import fc from 'fast-check';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from './cursor.ts';
import { Refusal } from './refusal.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');

const positions = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    // JSON has no negative zero. Adding zero removes it.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  { maxLength: 3 },
);

/** Returns the code of the refusal that `work` throws. Any other error fails the test. */
function catchRefusal(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('a cursor', () => {
  test('decodes to the position that it was encoded from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), positions, (scope, position) => {
        expect(decodeCursor(key, scope, encodeCursor(key, scope, position))).toEqual(position);
      }),
    );
  });

  test('is base64url text of at most 512 characters', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(encodeCursor(key, 'jobs', position)).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
      }),
    );
  });

  test('is refused if any single character is changed, added or removed', () => {
    const change = fc.record({
      at: fc.nat(),
      to: fc.constantFrom(...alphabet, '+', '/', '=', ' ', '\n', 'é'),
    });
    fc.assert(
      fc.property(positions, change, (position, { at, to }) => {
        const cursor = encodeCursor(key, 'jobs', position);
        const index = at % cursor.length;
        const [before, here, after] = [cursor.slice(0, index), cursor[index], cursor.slice(index + 1)];
        const altered = [
          before + after,
          before + to + here + after,
          cursor + to,
          ...(to === here ? [] : [before + to + after]),
        ];
        for (const text of altered.filter((text) => text !== cursor))
          expect(catchRefusal(() => decodeCursor(key, 'jobs', text))).toBe('cursor_invalid');
      }),
      { numRuns: 500 },
    );
  });

  test('is refused if any character is replaced by any other character', () => {
    const cursor = encodeCursor(key, 'jobs', ['2026-11-21T09:00:00.000Z', 'a']);
    const altered = cursor
      .split('')
      .flatMap((here, index) =>
        alphabet
          .filter((to) => to !== here)
          .map((to) => cursor.slice(0, index) + to + cursor.slice(index + 1)),
      );
    expect(
      altered.filter((text) => catchRefusal(() => decodeCursor(key, 'jobs', text)) !== 'cursor_invalid'),
    ).toEqual([]);
  });

  test('is refused for another scope', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), positions, (scope, other, position) => {
        fc.pre(scope !== other);
        const cursor = encodeCursor(key, scope, position);
        expect(catchRefusal(() => decodeCursor(key, other, cursor))).toBe('cursor_invalid');
      }),
    );
  });

  test('is refused with another key', () => {
    const cursor = encodeCursor(key, 'jobs', ['a', 1]);
    expect(catchRefusal(() => decodeCursor(createSecretKey(randomBytes(32)), 'jobs', cursor))).toBe(
      'cursor_invalid',
    );
  });

  test('that is arbitrary text is refused without another error', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.base64String(),
      fc.constant(''),
      fc.constant('A'.repeat(600)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(catchRefusal(() => decodeCursor(key, 'jobs', text))).toBe('cursor_invalid');
      }),
    );
  });

  test('separates the scope from the position', () => {
    expect(encodeCursor(key, 'jobs["a"]', [])).not.toBe(encodeCursor(key, 'jobs', ['a']));
  });

  test('is not encoded from a position that could not be decoded', () => {
    expect(() => encodeCursor(key, 'jobs', [Number.NaN])).toThrow(/not finite/);
    expect(() => encodeCursor(key, 'jobs', ['x'.repeat(500)])).toThrow(/too long/);
  });
});

describe('a scope', () => {
  test('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (filters) => {
        expect(buildFilterScope('jobs', reverseKeys(filters))).toBe(buildFilterScope('jobs', filters));
      }),
    );
  });

  test('differs if a filter or the list differs', () => {
    const scope = buildFilterScope('jobs', { status: 'active' });
    expect(buildFilterScope('jobs', { status: 'closed' })).not.toBe(scope);
    expect(buildFilterScope('jobs', { state: 'active' })).not.toBe(scope);
    expect(buildFilterScope('jobs', {})).not.toBe(scope);
    expect(buildFilterScope('matches', { status: 'active' })).not.toBe(scope);
    expect(buildFilterScope('jobs', { tags: ['a', 'b'] })).not.toBe(
      buildFilterScope('jobs', { tags: ['b', 'a'] }),
    );
  });

  test('treats an undefined filter as absent', () => {
    expect(buildFilterScope('jobs', { status: undefined })).toBe(buildFilterScope('jobs', {}));
  });

  function reverseKeys(record: object): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(record)
        .toReversed()
        .map(([name, value]) => [name, reverseNestedKeys(value)]),
    );
  }

  function reverseNestedKeys(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(reverseNestedKeys);
    return typeof value === 'object' && value !== null ? reverseKeys(value) : value;
  }
});

describe('a page', () => {
  const encodeRow = (last: number) => `after ${last}`;

  test('has at most `limit` rows, and a cursor if and only if another page follows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 12 }),
        fc.integer({ min: 1, max: 11 }),
        (all, limit) => {
          const { data, pagination } = buildPage({
            rows: all.slice(0, limit + 1),
            limit,
            total_count: all.length,
            next: encodeRow,
          });
          const has_more = all.length > limit;
          expect(data).toEqual(all.slice(0, limit));
          expect(pagination).toEqual({
            next_cursor: has_more ? encodeRow(all[limit - 1]!) : null,
            has_more,
            total_count: all.length,
          });
        },
      ),
    );
  });

  test('continues where the previous page ended, so that a walk visits every row once and in order', () => {
    const all = Array.from({ length: 47 }, (_, index) => index);
    const seen: number[] = [];
    let cursor: string | null = encodeCursor(key, 'numbers', [-1]);
    while (cursor !== null) {
      const [after] = decodeCursor(key, 'numbers', cursor) as [number];
      const rows = all.filter((each) => each > after).slice(0, 11);
      const page = buildPage({
        rows,
        limit: 10,
        total_count: all.length,
        next: (last) => encodeCursor(key, 'numbers', [last]),
      });
      seen.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    expect(seen).toEqual(all);
  });
});
