import { beforeAll, expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { cloneDatabase } from '#test/harness.ts';
import { openDatabase, sql, type Database, type Reader } from './database.ts';

let database: Database;
beforeAll(async () => {
  database = openDatabase({ ...(await cloneDatabase()), max: 2 }, () => undefined);
  cleanUpAfterFile(() => database.close());
  await database.run(sql`create table numbers (n integer)`);
  await database.run(sql`insert into numbers select generate_series(1, 3)`);
});

const readSum = async (db: Reader) =>
  (await db.one(sql<{ sum: number }>`select sum(n)::integer as sum from numbers`)).sum;

async function* readSums(db: Reader): AsyncGenerator<number, void> {
  for (;;) yield readSum(db);
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The connections in use. */
const countUsed = () => {
  const { total, idle } = database.countConnections();
  return total - idle;
};

test('every page of a snapshot is of one moment, and its end gives the connection back', async () => {
  const sums: number[] = [];
  for await (const sum of database.readSnapshot(readSums)) {
    expect(countUsed()).toBe(1);
    sums.push(sum);
    if (sums.length === 3) break;
    await database.run(sql`insert into numbers values (10)`);
  }
  expect(sums).toEqual([6, 6, 6]);
  expect(countUsed()).toBe(0);
  expect(await readSum(database)).toBe(26);
});

test('a snapshot writes nothing', async () => {
  const write = database.readSnapshot(async function* (db) {
    yield await db.list(sql`insert into numbers values (11) returning n`);
  });
  await expect(readAll(write)).rejects.toMatchObject({ cause: { code: '25006' } });
  expect(countUsed()).toBe(0);
});

test('an error of the reader gives the connection back, and the next snapshot can use it', async () => {
  const fail = database.readSnapshot(async function* (db) {
    yield await readSum(db);
    throw new Error('the reader has failed');
  });
  await expect(readAll(fail)).rejects.toThrow('the reader has failed');
  expect(countUsed()).toBe(0);
  for await (const sum of database.readSnapshot(readSums)) {
    expect(sum).toBe(26);
    break;
  }
});

test('a lost connection ends the snapshot with a refusal, and is not used again', async () => {
  const broken = database.readSnapshot(async function* (db) {
    const { pid } = await db.one(sql<{ pid: number }>`select pg_backend_pid() as pid`);
    await database.list(sql`select pg_terminate_backend(${pid})`);
    yield await readSum(db);
  });
  await expect(readAll(broken)).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(await readSum(database)).toBe(26);
});
