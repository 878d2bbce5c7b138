import { expect, test } from 'vitest';
import { sql, type Reader, type Statement } from '#platform/database/database.ts';
import { shareReads } from './share-reads.ts';

/** A database whose rows say how many statements were sent before. */
function createCounter() {
  let sent = 0;
  const list = async <Row>({ values }: Statement<Row>) => {
    if (values[0] === 'broken') throw new Error(`refused ${sent++}`);
    return values[0] === 'none' ? [] : ([{ place: sent++ }] as Row[]);
  };
  return { list, find: fail, one: fail, count: fail } satisfies Reader;
}

function fail(): never {
  throw new Error('only lists are sent');
}

const name = (value: string) => sql<{ place: number }>`select ${value}`;

test('the same statement is sent once, also while its reply is on its way', async () => {
  const { reader } = shareReads(createCounter());
  const rows = await Promise.all([reader.find(name('a')), reader.one(name('a')), reader.find(name('b'))]);
  expect([...rows, ...(await reader.list(name('a')))]).toEqual([
    { place: 0 },
    { place: 0 },
    { place: 1 },
    { place: 0 },
  ]);
});

test('after something was written, statements are sent again', async () => {
  const { reader, forget } = shareReads(createCounter());
  const before = await reader.one(name('a'));
  forget();
  expect([before, await reader.one(name('a'))]).toEqual([{ place: 0 }, { place: 1 }]);
});

test('a statement that failed is sent again, and one row means one', async () => {
  const { reader } = shareReads(createCounter());
  await expect(reader.find(name('broken'))).rejects.toThrow('refused 0');
  await expect(reader.find(name('broken'))).rejects.toThrow('refused 1');
  await expect(reader.one(name('none'))).rejects.toThrow('expected one row, got 0');
  expect(await reader.find(name('none'))).toBeUndefined();
});
