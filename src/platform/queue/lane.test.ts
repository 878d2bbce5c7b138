import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import type { Queue } from '#platform/platform.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { openLane, type Lane } from './lane.ts';
import { openQueue } from './queue.ts';
import type { RunOutcome } from './run-tasks.ts';
import { task } from './task.ts';

const count = task<{ readonly number: number }>({
  name: 'lane.count',
  retry_seconds: [],
  run: async () => undefined,
});

let database: Database;
let queue: Queue;
let run: () => Promise<RunOutcome> = async () => 'done';
let lane: Lane;
let stopping: AbortController;

beforeAll(async () => {
  const settings = await cloneDatabase();
  database = openDatabase(settings, () => undefined);
  const options = { settings, database, clock: createFakeClock(), log: pino({ level: 'silent' }) };
  queue = await openQueue({ ...options, metrics: openMetrics(), tasks: [count], events: [] });
});
afterAll(async () => {
  await queue.close();
  await database.close();
});
beforeEach(async () => {
  // A run takes as long as the test says, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  await database.run(sql`delete from pgboss.job`);
  stopping = new AbortController();
  run = async () => 'done';
  lane = openLane(count, { database, stopping: stopping.signal, run: () => run() });
});

afterEach(() => void vi.useRealTimers());

const sendTasks = (total: number) =>
  database.transaction(async (tx) => {
    for (let number = 0; number < total; number++) await queue.send(tx, count, { number });
  });
const countStates = () =>
  database.list(sql`select state, count(*) from pgboss.job where name = 'lane.count' group by state`);

/** Runs a task in no time, so that the lane claims many at a time. */
async function speedUp(): Promise<void> {
  await sendTasks(1);
  expect(await lane.work()).toBe(1);
}

test('short tasks share a claim, and once a run takes long, the rest of the claim is returned at once', async () => {
  await speedUp();
  await sendTasks(40);
  let runs = 0;
  run = async () => {
    runs++;
    vi.advanceTimersByTime(20);
    return 'done';
  };
  expect(await lane.work(), 'those that are returned do not count').toBe(1);
  expect(runs).toBe(1);
  expect(await countStates()).toEqual([{ state: 'created', count: 39 }]);
  expect(await lane.work()).toBe(1);
  expect(runs).toBe(2);
});

test('a task that may suddenly wait long is claimed alone, however short its runs were', async () => {
  lane = openLane(
    { ...count, claimed_alone: true },
    { database, stopping: stopping.signal, run: () => run() },
  );
  await speedUp();
  await sendTasks(3);
  const states: unknown[] = [];
  run = async () => {
    states.push(...(await countStates()));
    return 'done';
  };
  await lane.work();
  expect(states).toEqual(
    expect.arrayContaining([
      { state: 'active', count: 1 },
      { state: 'created', count: 2 },
    ]),
  );
});

test('one run does a batch of first attempts, and what has failed before is run alone', async () => {
  const bundles: number[][] = [];
  lane = openLane(
    { ...count, batch_max: 4 },
    {
      database,
      stopping: stopping.signal,
      run: async (queuedTasks) => {
        bundles.push(queuedTasks.map(({ data }) => data.attempt));
        return 'done';
      },
    },
  );
  await sendTasks(6);
  expect([await lane.work(), await lane.work(), await lane.work()]).toEqual([4, 2, 0]);
  expect(bundles).toEqual([
    [1, 1, 1, 1],
    [1, 1],
  ]);
  await sendTasks(3);
  await database.run(sql`
    update pgboss.job set data = jsonb_set(data, '{attempt}', '2') where data->'data'->>'number' <> '1'`);
  bundles.length = 0;
  expect(await lane.work()).toBe(3);
  expect(bundles.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([[1], [2], [2]]);
});

test('a returned task has lost no attempt', async () => {
  await sendTasks(1);
  run = async () => 'returned';
  expect(await lane.work()).toBe(0);
  expect(
    await database.list(sql`select state, retry_count, started_on, heartbeat_on from pgboss.job`),
  ).toEqual([{ state: 'created', retry_count: 0, started_on: null, heartbeat_on: null }]);
});

test('a task whose outcome could not be recorded waits until its heartbeat is missing, and does not run again at once', async () => {
  await sendTasks(1);
  run = () => Promise.reject(new Error('the database is unavailable'));
  expect(await lane.work()).toBe(1);
  expect(lane.listHeld()).toEqual([]);
  expect(await countStates()).toEqual([{ state: 'active', count: 1 }]);
  expect(await lane.work()).toBe(0);
});

test('a task that failed for good stays in the queue as failed', async () => {
  await sendTasks(1);
  run = async () => 'failed';
  await lane.work();
  expect(await countStates()).toEqual([{ state: 'failed', count: 1 }]);
});

test('a queued task that another worker has taken over is neither settled nor released, and its run is aborted', async () => {
  await sendTasks(1);
  let signal: AbortSignal | undefined;
  const watched = openLane(count, {
    database,
    stopping: stopping.signal,
    run: async ([queuedTask], given) => {
      signal = given;
      await database.run(sql`update pgboss.job set retry_count = retry_count + 1`);
      watched.drop([queuedTask.id]);
      return 'done';
    },
  });
  await watched.work();
  expect(signal?.aborted).toBe(true);
  await watched.release();
  expect(await countStates()).toEqual([{ state: 'active', count: 1 }]);
});

test('a lane that stops returns what it has claimed and not begun', async () => {
  await speedUp();
  await sendTasks(30);
  run = async () => {
    stopping.abort();
    return 'done';
  };
  await lane.work();
  expect(await countStates()).toEqual([{ state: 'created', count: 29 }]);
});
