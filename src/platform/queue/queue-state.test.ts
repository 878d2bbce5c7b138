import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import type { Queue } from '#platform/platform.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { createQueueReader } from './queue-state.ts';
import { openQueue } from './queue.ts';
import { task } from './task.ts';

const define = (name: string) => task<object>({ name, retry_seconds: [], run: async () => undefined });
const tasks = [define('state.busy'), define('state.idle')];
const [busy] = tasks as [(typeof tasks)[number]];
const pool_size = 2;

let database: Database;
let queue: Queue;

beforeAll(async () => {
  const settings = await cloneDatabase();
  database = openDatabase({ ...settings, max: pool_size }, () => undefined);
  const log = pino({ level: 'silent' });
  const options = { database, clock: createFakeClock(), log, metrics: openMetrics() };
  queue = openQueue({ ...options, tasks, events: [] });
});
afterAll(async () => {
  await queue.close();
  await database.close();
});

test('counts the tasks that wait, are scheduled, run and have failed, and measures the oldest wait', async () => {
  const hour_later = new Date(Date.now() + 3_600_000);
  await database.transaction(async (tx) => {
    for (let number = 0; number < 6; number++) await queue.send(tx, busy, { number });
    for (let number = 0; number < 2; number++)
      await queue.send(tx, busy, { number }, { start_after: hour_later });
  });
  const changeOne = (change: string) =>
    database.transaction((tx) =>
      tx.client.query(`update tasks set ${change} where id = (
        select id from tasks where name = 'state.busy' and status = 'queued' and due_at <= now() order by due_at desc limit 1)`),
    );
  await changeOne(`status = 'running', claim_id = gen_random_uuid(), heartbeat_at = now()`);
  await changeOne(`status = 'failed'`);
  await changeOne(`status = 'succeeded'`);
  await changeOne(`due_at = now() - interval '90 seconds'`);
  const [counted, idle, ...more] = (await createQueueReader({ database, tasks })())!;
  expect(counted).toMatchObject({ task: 'state.busy', waiting: 3, scheduled: 2, running: 1, failed: 1 });
  expect(counted!.oldest_wait_seconds).toBeGreaterThan(89);
  expect(counted!.oldest_wait_seconds).toBeLessThan(190);
  expect(idle).toEqual({
    task: 'state.idle',
    waiting: 0,
    scheduled: 0,
    oldest_wait_seconds: 0,
    running: 0,
    failed: 0,
  });
  expect(more).toEqual([]);
});

test('counts once in five seconds, however often and by how many readers it is asked', async () => {
  let [statements, now_ms] = [0, 0];
  const listOutsidePool: Database['listOutsidePool'] = (statement) => {
    statements++;
    return database.listOutsidePool(statement);
  };
  const read = createQueueReader({ database: { listOutsidePool }, tasks, readClock: () => now_ms });
  await Promise.all(Array.from({ length: 50 }, read));
  now_ms = 4_999;
  await read();
  expect(statements).toBe(1);
  now_ms = 5_000;
  await Promise.all([read(), read()]);
  expect(statements).toBe(2);
});

test('knows the state of the queue while requests hold every connection of the pool', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holders = Array.from({ length: pool_size }, () => database.transaction(() => released));
  await expect.poll(() => database.countConnections()).toMatchObject({ total: pool_size, idle: 0 });
  // What waits for a connection in the background does not matter.
  const state = await createQueueReader({ database, tasks })();
  const meanwhile = database.countConnections();
  release();
  await Promise.all(holders);
  expect(state).toHaveLength(2);
  expect(meanwhile).toMatchObject({ total: pool_size, idle: 0 });
});

test('without a reply within two seconds the state is unknown, and the database still counts as reachable', async () => {
  let now_ms = 0;
  const read = createQueueReader({ database, tasks, readClock: () => now_ms });
  await database.transaction(async (tx) => {
    await tx.run(sql`lock table tasks in access exclusive mode`);
    const unknown = read();
    expect(await database.readState()).toBe('up');
    expect(await unknown).toBeUndefined();
  });
  now_ms = 5_000;
  expect(await read()).toHaveLength(2);
});
