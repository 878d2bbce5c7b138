import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import type { Queue } from '#platform/platform.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { openQueue } from './queue.ts';
import { task } from './task.ts';
import { createRunner, type RunOutcome, type Runner } from './runner.ts';

const count = task<{ readonly number: number }>({
  name: 'runner.count',
  retry_seconds: [],
  run: async () => undefined,
});

let database: Database;
let queue: Queue;
const succeeded: RunOutcome = { kind: 'succeeded', result_url: null };
let run: () => Promise<RunOutcome> = async () => succeeded;
const clock = createFakeClock();
const getOptions = () => ({ database, clock, stopping: stopping.signal });
let runner: Runner;
let stopping: AbortController;

beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), () => undefined);
  const log = pino({ level: 'silent' });
  queue = openQueue({ database, clock, log, metrics: openMetrics(), tasks: [count], events: [] });
});
afterAll(async () => {
  await queue.close();
  await database.close();
});
beforeEach(async () => {
  // A run takes as long as the test says, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  await database.run(sql`delete from tasks`);
  stopping = new AbortController();
  run = async () => succeeded;
  runner = createRunner(count, { ...getOptions(), run: () => run() });
});

afterEach(() => void vi.useRealTimers());

const sendTasks = (total: number) =>
  database.transaction(async (tx) => {
    for (let number = 0; number < total; number++) await queue.send(tx, count, { number });
  });
const countStates = () =>
  database.list(sql`select status, count(*) from tasks where name = 'runner.count' group by status`);

/** Runs a task in no time, so that the runner claims many at a time. */
async function speedUp(): Promise<void> {
  await sendTasks(1);
  expect(await runner.work()).toBe(1);
}

test('short tasks share a claim, and once a run takes long, the rest of the claim is returned at once', async () => {
  await speedUp();
  await sendTasks(40);
  let runs = 0;
  run = async () => {
    runs++;
    vi.advanceTimersByTime(20);
    return succeeded;
  };
  expect(await runner.work(), 'those that are returned do not count').toBe(1);
  expect(runs).toBe(1);
  expect(await countStates()).toEqual([{ status: 'queued', count: 39 }]);
  expect(await runner.work()).toBe(1);
  expect(runs).toBe(2);
});

test('a task that may suddenly wait long is claimed alone, however short its runs were', async () => {
  runner = createRunner({ ...count, claimed_alone: true }, { ...getOptions(), run: () => run() });
  await speedUp();
  await sendTasks(3);
  const states: unknown[] = [];
  run = async () => {
    states.push(...(await countStates()));
    return succeeded;
  };
  await runner.work();
  expect(states).toEqual(
    expect.arrayContaining([
      { status: 'running', count: 1 },
      { status: 'queued', count: 2 },
    ]),
  );
});

test('one run does a batch of first attempts, and what has failed before is run alone', async () => {
  const runs: number[][] = [];
  runner = createRunner(
    { ...count, batch_max: 4 },
    {
      ...getOptions(),
      run: async (tasks) => {
        runs.push(tasks.map(({ attempt }) => attempt));
        return succeeded;
      },
    },
  );
  await sendTasks(6);
  expect([await runner.work(), await runner.work(), await runner.work()]).toEqual([4, 2, 0]);
  expect(runs).toEqual([
    [1, 1, 1, 1],
    [1, 1],
  ]);
  await sendTasks(3);
  await database.run(sql`
    update tasks set attempt = 2 where data->>'number' <> '1'`);
  runs.length = 0;
  expect(await runner.work()).toBe(3);
  expect(runs.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([[1], [2], [2]]);
});

test('a returned task has lost no attempt', async () => {
  await sendTasks(1);
  run = async () => ({ kind: 'returned' });
  expect(await runner.work()).toBe(0);
  expect(
    await database.list(sql`select status, attempt, lost_workers, claim_id, heartbeat_at from tasks`),
  ).toEqual([{ status: 'queued', attempt: 1, lost_workers: 0, claim_id: null, heartbeat_at: null }]);
});

test('a task whose outcome could not be recorded waits until its heartbeat is missing, and does not run again at once', async () => {
  await sendTasks(1);
  const failing = { ...database, run: () => Promise.reject(new Error('the database is unavailable')) };
  runner = createRunner(count, { ...getOptions(), database: failing, run: () => run() });
  await expect(runner.work()).rejects.toThrow('unavailable');
  expect(runner.listRunning().size).toBe(0);
  expect(await countStates()).toEqual([{ status: 'running', count: 1 }]);
  runner = createRunner(count, { ...getOptions(), run: () => run() });
  expect(await runner.work()).toBe(0);
});

test('a task that failed for good stays in the queue as failed', async () => {
  await sendTasks(1);
  run = async () => ({ kind: 'failed', error: 'Error: no' });
  await runner.work();
  expect(await countStates()).toEqual([{ status: 'failed', count: 1 }]);
});

test('a task that another worker has taken over is neither settled nor released, and its run is aborted', async () => {
  await sendTasks(1);
  let signal: AbortSignal | undefined;
  const watched = createRunner(count, {
    ...getOptions(),
    run: async (tasks, given) => {
      signal = given;
      await database.run(sql`update tasks set claim_id = gen_random_uuid()`);
      watched.drop(tasks);
      return succeeded;
    },
  });
  await watched.work();
  expect(signal?.aborted).toBe(true);
  await watched.release();
  expect(await countStates()).toEqual([{ status: 'running', count: 1 }]);
});

test('what became of a task that another worker has taken over is not recorded, even before its heartbeat is missing', async () => {
  for (const outcome of [succeeded, { kind: 'failed', error: 'no' }, { kind: 'returned' }] as const) {
    await sendTasks(1);
    run = async () => {
      await database.run(sql`update tasks set claim_id = gen_random_uuid()`);
      return outcome;
    };
    await runner.work();
    expect(await countStates()).toEqual([{ status: 'running', count: 1 }]);
    await database.run(sql`delete from tasks`);
  }
});

test('a runner that stops returns what it has claimed and not begun', async () => {
  await speedUp();
  await sendTasks(30);
  run = async () => {
    stopping.abort();
    return succeeded;
  };
  await runner.work();
  expect(await countStates()).toEqual([{ status: 'queued', count: 29 }]);
});

test('a postponed task waits for its pauses, repeats the last one, and still has a retry when an attempt fails', async () => {
  const patient = { ...count, retry_seconds: [5, 30] };
  runner = createRunner(patient, { ...getOptions(), run: () => run() });
  await sendTasks(1);
  const readState = () =>
    database.one(sql<{ status: string; attempt: number; error: string; wait_s: number }>`
      select status, attempt, error, extract(epoch from due_at - ${clock.now()}::timestamptz)::float8 as wait_s from tasks`);
  run = async () => ({ kind: 'postponed', error: 'a part is missing' });
  const states = [];
  for (let time = 0; time < 4; time++) {
    await runner.work({ early: true });
    states.push(await readState());
  }
  const queued = { status: 'queued', attempt: 2, error: 'a part is missing' };
  expect(states).toEqual([5, 30, 30, 30].map((wait_s) => ({ ...queued, wait_s })));
  run = async () => ({ kind: 'failed', error: 'wrong' });
  await runner.work({ early: true });
  expect(await readState()).toMatchObject({ status: 'queued', attempt: 3, wait_s: 30 });
  await runner.work({ early: true });
  expect(await readState()).toMatchObject({ status: 'failed', attempt: 3, error: 'wrong' });
});
