import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { cloneDatabase } from '#test/harness.ts';
import { openDatabase, sql } from './database.ts';
import { createUse } from './share-pool.ts';

const settings = await cloneDatabase();

function openPool(max: number) {
  const database = openDatabase({ ...settings, max }, () => undefined);
  cleanUpAfterFile(() => database.close());
  return database;
}

/** A piece of work that holds a connection until it is let go, and whether it has one. */
function takeConnection(database: ReturnType<typeof openPool>, key: string) {
  const state = { isHeld: false, ...Promise.withResolvers<void>() };
  const ended = database.runInUse(createUse(key), () =>
    database.transaction(async (tx) => {
      await tx.run(sql`select 1`);
      state.isHeld = true;
      await state.promise;
    }),
  );
  return { state, letGo: () => (state.resolve(), ended) };
}

test('a caller with many requests holds a quarter of the connections, and others get theirs at once', async () => {
  const database = openPool(8);
  const many = Array.from({ length: 40 }, () => takeConnection(database, 'busy'));
  const countHeld = () => many.filter(({ state }) => state.isHeld).length;
  await expect.poll(countHeld).toBe(2);
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  expect(await database.runInUse(createUse('other'), read)).toEqual({ one: 1 });
  // A background task belongs to no caller.
  expect(await read()).toEqual({ one: 1 });
  expect([countHeld(), database.countConnections().waiting]).toEqual([2, 38]);
  await many[0]!.letGo();
  await expect.poll(countHeld).toBe(3);
  await Promise.all(many.map(({ letGo }) => letGo()));
  expect(database.countConnections().waiting).toBe(0);
});

test('a request that holds a connection never waits for a place of its own caller', async () => {
  const database = openPool(2);
  const work = () =>
    database.transaction(async (tx) => {
      await tx.run(sql`select 1`);
      return Promise.all([1, 2].map(() => database.one(sql<{ one: number }>`select 1 as one`)));
    });
  const requests = Array.from({ length: 10 }, () => database.runInUse(createUse('one'), work));
  expect(await Promise.all(requests)).toEqual(requests.map(() => [{ one: 1 }, { one: 1 }]));
});

test('statements that a request sends at once wait for one place together', async () => {
  const database = openPool(3);
  const holder = takeConnection(database, 'one');
  await expect.poll(() => holder.state.isHeld).toBe(true);
  const use = createUse('one');
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  const both = database.runInUse(use, () => Promise.all([read(), read()]));
  expect(database.countConnections().waiting).toBe(1);
  await holder.letGo();
  expect(await both).toEqual([{ one: 1 }, { one: 1 }]);
  expect([use.place, use.hasBegun]).toEqual([undefined, true]);
});

test('exports that clients receive slowly leave half of the connections to requests, however many callers they are of', async () => {
  const database = openPool(8);
  const gate = Promise.withResolvers<void>();
  let held = 0;
  const send = async (key: string) =>
    database.runInUse(createUse(key), async () => {
      const parts = database.readSnapshot(async function* read(db) {
        yield await db.one(sql<{ one: number }>`select 1 as one`);
        held++;
        await gate.promise;
      });
      for await (const _part of parts);
    });
  const sending = Promise.allSettled(
    Array.from({ length: 16 }, (_, index) => send(`organisation ${index % 8}`)),
  );
  await expect.poll(() => held).toBe(4);
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  expect(await database.runInUse(createUse('other'), read)).toEqual({ one: 1 });
  expect([held, database.countConnections().waiting]).toEqual([4, 12]);
  gate.resolve();
  expect((await sending).map(({ status }) => status)).not.toContain('rejected');
  expect(database.countConnections().waiting).toBe(0);
});

test('an export that is being sent takes no place of the other requests of its caller', async () => {
  const database = openPool(3);
  const gate = Promise.withResolvers<void>();
  const use = createUse('one');
  const sending = database.runInUse(use, async () => {
    const parts = database.readSnapshot(async function* read(db) {
      yield await db.one(sql<{ one: number }>`select 1 as one`);
      await gate.promise;
    });
    const seen: unknown[] = [];
    for await (const part of parts) seen.push(part);
    return seen;
  });
  await expect.poll(() => database.countConnections().total - database.countConnections().idle).toBe(1);
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  expect(await database.runInUse(createUse('one'), read)).toEqual({ one: 1 });
  gate.resolve();
  expect(await sending).toEqual([{ one: 1 }]);
});

test('a request that has waited for too long is refused, and takes no place later', async () => {
  const database = openPool(3);
  const holder = takeConnection(database, 'one');
  await expect.poll(() => holder.state.isHeld).toBe(true);
  const use = createUse('one');
  const read = () => database.one(sql`select 1`);
  await expect(database.runInUse(use, () => Promise.all([read(), read()]))).rejects.toMatchObject({
    code: 'overloaded',
    extras: { headers: { 'retry-after': '1' } },
  });
  expect([use.place, use.hasBegun]).toEqual([undefined, false]);
  await holder.letGo();
  expect(await database.runInUse(use, read)).toBeDefined();
});

test('however many background tasks run, requests have most of the connections, and no task waits for itself or is refused', async () => {
  const database = openPool(9);
  const state = { held: 0, isOpen: Promise.withResolvers<void>() };
  const runTask = () =>
    database.runInBackground(() =>
      database.transaction(async (tx) => {
        await tx.run(sql`select 1`);
        state.held++;
        await state.isOpen.promise;
        // Beside the connection of its transaction, which it holds already.
        return database.one(sql<{ one: number }>`select 1 as one`);
      }),
    );
  const tasks = Array.from({ length: 300 }, runTask);
  await expect.poll(() => state.held).toBe(3);
  const requests = ['one', 'two', 'three'].map((key) => takeConnection(database, key));
  await expect.poll(() => requests.every(({ state: { isHeld } }) => isHeld)).toBe(true);
  await Promise.all(requests.map(({ letGo }) => letGo()));
  expect([state.held, database.countConnections().waiting]).toEqual([3, 0]);
  state.isOpen.resolve();
  expect((await Promise.all(tasks)).length).toBe(300);
});

test('a background task waits for its connection while requests hold all of them', async () => {
  const database = openDatabase({ ...settings, max: 1, connectionTimeoutMillis: 100 }, () => undefined);
  cleanUpAfterFile(() => database.close());
  const holder = takeConnection(database, 'one');
  await expect.poll(() => holder.state.isHeld).toBe(true);
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  const tasks = Promise.all([
    database.runInBackground(read),
    database.runInBackground(() =>
      database.transaction((tx) => tx.one(sql<{ one: number }>`select 1 as one`)),
    ),
  ]);
  // It has waited for longer than a request would.
  await expect(read()).rejects.toMatchObject({ code: 'database_unavailable' });
  await expect(read()).rejects.toMatchObject({ code: 'database_unavailable' });
  await holder.letGo();
  expect(await tasks).toEqual([{ one: 1 }, { one: 1 }]);
});
