import { expect, test } from 'vitest';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { readChanges, type ChangePlace, type ListChanges } from './change-log.ts';
import type { Reader } from './executor.ts';

const database_now = new Date('2026-11-28T09:00:00.000Z');

/** Reads a log whose database is at a mark and whose pages have these numbers of changes. @returns what was read, and after which places. */
async function readLog(mark: string, since: string | undefined, pages: readonly number[]) {
  const places: ChangePlace[] = [];
  const db = { one: async () => ({ mark, database_now }) } as unknown as Reader;
  const list: ListChanges = async (_, after) => {
    places.push(after);
    const length = pages[places.length - 1]!;
    return Array.from({ length }, (__, index) => ({ xid: mark, id: `id-${index}`, at: database_now }));
  };
  const read: number[] = [];
  const reading = await readChanges(db, list, since, (page) => void read.push(page.length));
  return { ...reading, read, places };
}

test.each([
  ['without a mark', undefined, '0', false],
  ['from a mark, which a number of more digits follows', '999', '999', true],
  ['from the mark of a database that has lost its last transactions', '1001', '0', false],
])('%s', async (_, since, from, is_continued) => {
  expect(await readLog('1000', since, [3])).toEqual({
    mark: '1000',
    database_now,
    is_continued,
    read: [3],
    places: [{ xid: from, id: nil_uuid }],
  });
});

test('reads page by page, each after the last change of the one before', async () => {
  const { read, places } = await readLog('1000', '7', [10_000, 0]);
  expect(read).toEqual([10_000, 0]);
  expect(places[1]).toMatchObject({ xid: '1000', id: 'id-9999' });
});
