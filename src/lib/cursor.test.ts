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
    // JSON has no negative zero; it sorts like zero.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  { maxLength: 3 },
);

/** The code of the refusal that `work` throws; anything else it throws fails the test. */
function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('a cursor', () => {
  test('reads back as the position it was made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), positions, (scope, position) => {
        expect(decodeCursor(key, scope, encodeCursor(key, scope, position))).toEqual(position);
      }),
    );
  });

  test('is plain base64url text of at most 512 characters', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(encodeCursor(key, 'jobs', position)).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
      }),
    );
  });

  test('is refused when any single character was changed, added or taken away', () => {
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
          expect(refusalOf(() => decodeCursor(key, 'jobs', text))).toBe('cursor_invalid');
      }),
      { numRuns: 500 },
    );
  });

  test('is refused at each of its characters, whatever stands there instead', () => {
    const cursor = encodeCursor(key, 'jobs', ['2026-11-21T09:00:00.000Z', 'a']);
    const altered = cursor
      .split('')
      .flatMap((here, index) =>
        alphabet
          .filter((to) => to !== here)
          .map((to) => cursor.slice(0, index) + to + cursor.slice(index + 1)),
      );
    expect(
      altered.filter((text) => refusalOf(() => decodeCursor(key, 'jobs', text)) !== 'cursor_invalid'),
    ).toEqual([]);
  });

  test('is refused on another list, with other filters and for another caller', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), positions, (scope, other, position) => {
        fc.pre(scope !== other);
        const cursor = encodeCursor(key, scope, position);
        expect(refusalOf(() => decodeCursor(key, other, cursor))).toBe('cursor_invalid');
      }),
    );
  });

  test('is refused under another key', () => {
    const cursor = encodeCursor(key, 'jobs', ['a', 1]);
    expect(refusalOf(() => decodeCursor(createSecretKey(randomBytes(32)), 'jobs', cursor))).toBe(
      'cursor_invalid',
    );
  });

  test('of any text at all is answered by a refusal and by nothing else', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.base64String(),
      fc.constant(''),
      fc.constant('A'.repeat(600)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(refusalOf(() => decodeCursor(key, 'jobs', text))).toBe('cursor_invalid');
      }),
    );
  });

  test('cannot trade characters between the scope and the position', () => {
    expect(encodeCursor(key, 'jobs["a"]', [])).not.toBe(encodeCursor(key, 'jobs', ['a']));
  });

  test('is never made of a position that could not be read back', () => {
    expect(() => encodeCursor(key, 'jobs', [Number.NaN])).toThrow(/not finite/);
    expect(() => encodeCursor(key, 'jobs', ['x'.repeat(500)])).toThrow(/too long/);
  });
});

describe('a scope', () => {
  test('is the same whatever the order of keys, at every depth', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (filters) => {
        expect(buildFilterScope('jobs', reversed(filters))).toBe(buildFilterScope('jobs', filters));
      }),
    );
  });

  test('differs when a filter or the list does', () => {
    const scope = buildFilterScope('jobs', { status: 'active' });
    expect(buildFilterScope('jobs', { status: 'closed' })).not.toBe(scope);
    expect(buildFilterScope('jobs', { state: 'active' })).not.toBe(scope);
    expect(buildFilterScope('jobs', {})).not.toBe(scope);
    expect(buildFilterScope('matches', { status: 'active' })).not.toBe(scope);
    expect(buildFilterScope('jobs', { tags: ['a', 'b'] })).not.toBe(
      buildFilterScope('jobs', { tags: ['b', 'a'] }),
    );
  });

  test('takes an undefined filter for an absent one', () => {
    expect(buildFilterScope('jobs', { status: undefined })).toBe(buildFilterScope('jobs', {}));
  });

  function reversed(value: unknown): never {
    if (Array.isArray(value)) return value.map(reversed) as never;
    if (typeof value !== 'object' || value === null) return value as never;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, each]) => [name, reversed(each)]),
    ) as never;
  }
});

describe('a page', () => {
  const next = (last: number) => `after ${last}`;

  test('shows at most `limit` rows, and has a cursor exactly when there is more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 12 }),
        fc.integer({ min: 1, max: 11 }),
        (all, limit) => {
          const { data, pagination } = buildPage({
            rows: all.slice(0, limit + 1),
            limit,
            total_count: all.length,
            next,
          });
          const has_more = all.length > limit;
          expect(data).toEqual(all.slice(0, limit));
          expect(pagination).toEqual({
            next_cursor: has_more ? next(all[limit - 1]!) : null,
            has_more,
            total_count: all.length,
          });
        },
      ),
    );
  });

  test('visits every row once, in order, when each page continues from the last', () => {
    const all = Array.from({ length: 47 }, (_, index) => index);
    const seen: number[] = [];
    let cursor: string | null = encodeCursor(key, 'numbers', [-1]);
    while (cursor !== null) {
      const [after] = decodeCursor(key, 'numbers', cursor) as [number];
      const rows = all.filter((each) => each > after).slice(0, 11);
      const shown = buildPage({
        rows,
        limit: 10,
        total_count: all.length,
        next: (last) => encodeCursor(key, 'numbers', [last]),
      });
      seen.push(...shown.data);
      cursor = shown.pagination.next_cursor;
    }
    expect(seen).toEqual(all);
  });
});
