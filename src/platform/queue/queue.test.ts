import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import type { Platform, Queue } from '#platform/platform.ts';
import { closedObject } from '#platform/schema.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { startWithoutPolls } from '#test/start-without-polls.ts';
import { event, on } from './event.ts';
import { openQueue } from './queue.ts';
import { findTask } from './tracked-tasks.ts';
import { task, type Task } from './task.ts';

type Note = { readonly note: string };

const runs: string[] = [];
let failures = 0;
let release: () => void = () => undefined;

const listen = task<Note>({
  name: 'test.listen',
  retry_seconds: [],
  run: async (_, { note }) => void runs.push(`first ${note}`),
});
const listenToo = task<Note>({
  name: 'test.listenToo',
  retry_seconds: [],
  run: async (_, { note }) => void runs.push(`second ${note}`),
});
const fail = task<Note>({
  name: 'test.fail',
  retry_seconds: [60, 3_600],
  run: async () => {
    failures++;
    throw new Error('the printer is on fire');
  },
});
const succeedLate = task<Note>({
  name: 'test.succeedLate',
  retry_seconds: [60],
  run: async ({ reportProgress }) => {
    await reportProgress(1, 2);
    if (++failures === 1) throw new Error('not yet');
    await reportProgress(2, 2);
    return { result_url: '/api/v1/result' };
  },
});
/** Runs until it is released, or until the process stops. */
const linger = task<Note>({
  name: 'test.linger',
  retry_seconds: [],
  run: async ({ signal }, { note }) => {
    runs.push(`begun ${note}`);
    await new Promise<void>((resolve, reject) => {
      release = resolve;
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
    runs.push(`done ${note}`);
  },
});
const followEvents = task<Note>({
  name: 'test.followEvents',
  retry_seconds: [60],
  uses_event: true,
  run: async ({ event_ids }) => {
    runs.push(`event ${event_ids?.join()}`);
    if (++failures === 1) throw new Error('not yet');
  },
});
const tasks: readonly Task[] = [listen, listenToo, fail, succeedLate, linger, followEvents];
const note = closedObject({ note: Type.String() });
const happened = event('thing.happened', note);
const ignored = event('thing.ignored', note);
const followed = event('thing.followed', note);
const events = [on(happened, listen, listenToo), on(ignored), on(followed, followEvents)];

const clock = createFakeClock();
const log = pino({ level: 'silent' });
let settings: pg.PoolConfig;
let database: Database;
let queue: Queue;
let platform: Platform;

const openTestQueue = () => openQueue({ database, clock, log, metrics: openMetrics(), tasks, events });

beforeAll(async () => {
  settings = await cloneDatabase();
  database = openDatabase(settings, () => undefined);
  // The queue passes the platform on to the tasks, and these use nothing else of it.
  platform = { database, now: clock.now, log } as unknown as Platform;
  queue = openTestQueue();
});
afterAll(async () => {
  await queue.close();
  await database.close();
});

const send = (note: string) => database.transaction((tx) => queue.send(tx, listen, { note }));
const start = (watched: Task<Note>, note = '') =>
  database.transaction((tx) => queue.start(tx, watched, { note }, user_id));
const user_id = randomUUID();
const readTracked = (id: string) => findTask(database, { id, user_id });
const drain = () => queue.drain(platform);

function reset(): void {
  runs.length = 0;
  failures = 0;
}

test('a task runs after its transaction is committed, and never after a rollback', async () => {
  reset();
  await send('committed');
  const rolledBack = database.transaction(async (tx) => {
    await queue.send(tx, listen, { note: 'rolled back' });
    await queue.emit(tx, happened, { note: 'rolled back' });
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await drain();
  expect(runs).toEqual(['first committed']);
  expect(await database.list(sql`select * from events`)).toEqual([]);
});

test('an event is stored, and every listener receives it', async () => {
  reset();
  await database.transaction(async (tx) => {
    await queue.emit(tx, happened, { note: 'x' });
    await queue.emit(tx, ignored, { note: 'y' });
  });
  expect(await drain()).toBe(2);
  expect(runs.toSorted()).toEqual(['first x', 'second x']);
  const stored = await database.list(sql`select type, data, created_at from events order by type`);
  expect(stored).toEqual([
    { type: 'thing.happened', data: { note: 'x' }, created_at: clock.now() },
    { type: 'thing.ignored', data: { note: 'y' }, created_at: clock.now() },
  ]);
});

test('a task that uses events runs once for each of them, with its id at every attempt', async () => {
  [runs.length, failures] = [0, 0];
  await database.transaction(async (tx) => {
    await queue.emit(tx, followed, { note: 'same' });
    await queue.emit(tx, followed, { note: 'same' });
  });
  await drain();
  const stored = await database.list(
    sql<{ id: string }>`select id from events where type = 'thing.followed'`,
  );
  expect(stored).toHaveLength(2);
  expect(runs).toHaveLength(3);
  expect(new Set(runs)).toEqual(new Set(stored.map(({ id }) => `event ${id}`)));
});

test('an event that is missing from the table is a defect', async () => {
  await expect(
    database.transaction((tx) => queue.emit(tx, event('thing.unlisted', note), { note: 'z' })),
  ).rejects.toThrow(/thing\.unlisted/);
});

test('a task is retried by its schedule, and its record does not reveal why it failed', async () => {
  reset();
  const { task_id, status } = await start(fail);
  expect(status).toBe('queued');
  expect(await readTracked(task_id)).toMatchObject({ status: 'queued', progress_done: 0 });
  await drain();
  expect(failures).toBe(3);
  const failed = (await readTracked(task_id)) as { status: string; error: string };
  expect(failed.status).toBe('failed');
  expect(failed.error).not.toMatch(/printer/);
});

test('a task that succeeds at its second attempt has its progress and its result', async () => {
  reset();
  const { task_id } = await start(succeedLate);
  await drain();
  expect(await readTracked(task_id)).toMatchObject({
    status: 'succeeded',
    progress_done: 2,
    progress_total: 2,
    result_url: '/api/v1/result',
    error: null,
  });
  // What the task was about is not kept with its outcome.
  expect(await database.list(sql`select data from tasks where id = ${task_id}`)).toEqual([{ data: {} }]);
});

test('a task waits for its start time', async () => {
  reset();
  const start_after = new Date(clock.now().getTime() + 5_000);
  await database.transaction((tx) => queue.send(tx, listen, { note: 'later' }, { start_after }));
  const waiting = await database.list(sql<{ due_at: Date }>`
    select due_at from tasks where name = 'test.listen' and status = 'queued'`);
  expect(waiting).toEqual([{ due_at: start_after }]);
  await drain();
});

test('the same task with the same data is queued once per transaction, and again by the next transaction', async () => {
  reset();
  const sendAll = () =>
    database.transaction(async (tx) => {
      for (let number = 0; number < 150; number++)
        await queue.send(tx, listen, { note: String(number % 75) });
      await queue.emit(tx, happened, { note: '0' });
    });
  await sendAll();
  await sendAll();
  // 75 notes and the other listener of the event, in each of two transactions.
  expect(await drain()).toBe(2 * 76);
  expect(runs.filter((each) => each === 'first 0')).toHaveLength(2);
});

test('a worker that stops hands its running task back without counting the attempt, and another worker runs it', async () => {
  reset();
  const worker = openTestQueue();
  await worker.startWorkers(platform);
  const { task_id } = await start(linger, 'work');
  await expect.poll(() => runs).toEqual(['begun work']);
  expect(await readTracked(task_id)).toMatchObject({ status: 'running' });
  await worker.close();
  expect(await readTracked(task_id)).toMatchObject({ status: 'queued' });
  const draining = drain();
  await expect.poll(() => runs.length).toBe(2);
  release();
  await draining;
  expect(runs).toEqual(['begun work', 'begun work', 'done work']);
  expect(await readTracked(task_id)).toMatchObject({ status: 'succeeded' });
});

test('a drain that begins while another runs also waits for what that one has claimed', async () => {
  reset();
  const { task_id } = await start(linger, 'work');
  const first = drain();
  await expect.poll(() => runs).toEqual(['begun work']);
  const states = drain().then(async () => (await readTracked(task_id))?.status);
  release();
  await first;
  expect(await states).toBe('succeeded');
  expect(runs).toEqual(['begun work', 'done work']);
});

test('a worker starts a task without waiting for its next poll', async () => {
  reset();
  const worker = openTestQueue();
  await startWithoutPolls(() => worker.startWorkers(platform));
  await send('quick');
  await expect.poll(() => runs).toEqual(['first quick']);
  await worker.close();
});

test('another worker runs the task of a killed worker once its heartbeat is missing', async () => {
  reset();
  const { task_id } = await start(linger, 'orphan');
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', doomedWorker, JSON.stringify(settings)],
    {
      cwd: new URL('../../../', import.meta.url),
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  expect(output.toString()).toBe('begun\n');
  child.kill('SIGKILL');
  const worker = openTestQueue();
  await worker.startWorkers(platform);
  await expect.poll(() => runs, { interval: 250 }).toEqual(['begun orphan']);
  release();
  await expect.poll(() => readTracked(task_id)).toMatchObject({ status: 'succeeded' });
  await worker.close();
});

/** Starts the task `test.linger`, prints a line, and never finishes. */
const doomedWorker = `
  import { openQueue } from './src/platform/queue/queue.ts';
  import { openDatabase } from './src/platform/database/database.ts';
  import { openMetrics } from './src/platform/telemetry/metrics.ts';
  import { pino } from 'pino';
  const settings = JSON.parse(process.argv[1]);
  const database = openDatabase(settings, () => undefined);
  const log = pino({ level: 'silent' });
  const clock = { now: () => new Date() };
  const run = () => (process.stdout.write('begun\\n'), new Promise(() => undefined));
  const tasks = [{ name: 'test.linger', retry_seconds: [], run }];
  const queue = openQueue({ database, clock, log, metrics: openMetrics(), tasks, events: [] });
  await queue.startWorkers({ database, now: clock.now, log });
`;

test('a task that is missing from the table is a defect, and its transaction has no effect', async () => {
  const unlisted = task<Note>({ name: 'test.unlisted', retry_seconds: [], run: async () => undefined });
  const sending = database.transaction(async (tx) => {
    await queue.send(tx, listen, { note: 'rolled back' });
    await queue.send(tx, unlisted, { note: 'x' });
  });
  await expect(sending).rejects.toThrow(/test\.unlisted is missing from src\/tables\/tasks\.ts/);
  expect(await drain()).toBe(0);
});

test('another node learns of a task from an announcement, even after its connection was lost', async () => {
  reset();
  const worker = openTestQueue();
  await worker.startWorkers(platform);
  const countListeners = () =>
    database.one(sql`
      select count(*) from pg_stat_activity where query = 'listen tessera_tasks' and datname = current_database()`);
  await database.run(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query = 'listen tessera_tasks' and datname = current_database()`);
  await expect.poll(countListeners).toEqual({ count: 1 });
  await send('announced');
  await expect.poll(() => runs, { interval: 10 }).toEqual(['first announced']);
  await worker.close();
});
