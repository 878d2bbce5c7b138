import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import type { Platform, Queue } from '#platform/platform.ts';
import { event, on } from './event.ts';
import { openQueue } from './queue.ts';
import { task, type Task } from './task.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';

type Note = { readonly note: string };

const heard: string[] = [];
let failures = 0;
let release: () => void = () => undefined;

const listen = task<Note>({
  name: 'test.listen',
  retry_seconds: [],
  run: async (_, { note }) => void heard.push(`one ${note}`),
});
const listenToo = task<Note>({
  name: 'test.listenToo',
  retry_seconds: [],
  run: async (_, { note }) => void heard.push(`two ${note}`),
});
const fail = task({
  name: 'test.fail',
  retry_seconds: [60, 3_600],
  run: async () => {
    failures++;
    throw new Error('the printer is on fire');
  },
});
const succeedLate = task({
  name: 'test.succeedLate',
  retry_seconds: [60],
  run: async ({ reportProgress: progress }) => {
    await progress(1, 2);
    if (++failures === 1) throw new Error('not yet');
    await progress(2, 2);
    return { result_url: '/api/v1/result' };
  },
});
/** Runs until it is released, or until the process stops. */
const linger = task<Note>({
  name: 'test.linger',
  retry_seconds: [],
  run: async ({ signal }, { note }) => {
    heard.push(`begun ${note}`);
    await new Promise<void>((resolve, reject) => {
      release = resolve;
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
    heard.push(`done ${note}`);
  },
});
const tasks: readonly Task[] = [listen, listenToo, fail, succeedLate, linger];
const note = Type.Object({ note: Type.String() });
const happened = event('thing.happened', note);
const ignored = event('thing.ignored', note);
const events = [on(happened, listen, listenToo), on(ignored)];

const clock = createFakeClock();
const log = pino({ level: 'silent' });
let settings: pg.PoolConfig;
let database: Database;
let queue: Queue;
let platform: Platform;

const open = () => openQueue({ settings, database, clock, log, metrics: openMetrics(), tasks, events });

beforeAll(async () => {
  settings = await cloneDatabase();
  database = openDatabase(settings, () => undefined);
  platform = { database, now: clock.now, log } as unknown as Platform;
  queue = await open();
});
afterAll(async () => {
  await queue.close();
  await database.close();
});

const send = (note: string) => database.transaction((tx) => queue.send(tx, listen, { note }));
const start = (started: Task<Note> | Task, note = '') =>
  database.transaction((tx) => queue.start(tx, started as Task<Note>, { note }, randomUUID()));
const record = (task_id: string) =>
  database.one(
    sql`select status, progress_done, progress_total, result_url, error from tasks where id = ${task_id}`,
  );
const drain = () => queue.drain(platform);

function forget(): void {
  heard.length = 0;
  failures = 0;
}

test('a task runs after its transaction committed, and never if it was rolled back', async () => {
  forget();
  await send('kept');
  const rolledBack = database.transaction(async (tx) => {
    await queue.send(tx, listen, { note: 'gone' });
    await queue.emit(tx, happened, { note: 'gone' });
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await drain();
  expect(heard).toEqual(['one kept']);
  expect(await database.list(sql`select * from events`)).toEqual([]);
});

test('an event is kept, and reaches every listener', async () => {
  forget();
  await database.transaction(async (tx) => {
    await queue.emit(tx, happened, { note: 'x' });
    await queue.emit(tx, ignored, { note: 'y' });
  });
  expect(await drain()).toBe(2);
  expect(heard.toSorted()).toEqual(['one x', 'two x']);
  const kept = await database.list(sql`select type, data, created_at from events order by type`);
  expect(kept).toEqual([
    { type: 'thing.happened', data: { note: 'x' }, created_at: clock.now() },
    { type: 'thing.ignored', data: { note: 'y' }, created_at: clock.now() },
  ]);
});

test('an event that is missing from the table is a defect, and is not ignored', async () => {
  await expect(
    database.transaction((tx) => queue.emit(tx, event('thing.unlisted', note), { note: 'z' })),
  ).rejects.toThrow(/thing\.unlisted/);
});

test('a task that fails is tried as often as its list says, and then has failed without telling why', async () => {
  forget();
  const { task_id, status } = await start(fail);
  expect(status).toBe('queued');
  expect(await record(task_id)).toMatchObject({ status: 'queued', progress_done: 0 });
  await drain();
  expect(failures).toBe(3);
  const failed = (await record(task_id)) as { status: string; error: string };
  expect(failed.status).toBe('failed');
  expect(failed.error).not.toMatch(/printer/);
});

test('a task that succeeds at its second try has its progress and its result', async () => {
  forget();
  const { task_id } = await start(succeedLate);
  await drain();
  expect(await record(task_id)).toEqual({
    status: 'succeeded',
    progress_done: 2,
    progress_total: 2,
    result_url: '/api/v1/result',
    error: null,
  });
});

test('a task may wait for its time, and a failed one waits as long as its list says', async () => {
  forget();
  const start_after = new Date(clock.now().getTime() + 5_000);
  await database.transaction((tx) => queue.send(tx, listen, { note: 'later' }, { start_after }));
  const waiting = await database.list(sql<{ start_after: Date }>`
    select start_after from pgboss.job where name = 'test.listen' and state = 'created'`);
  expect(waiting).toEqual([{ start_after }]);
  await drain();
});

test('the same task for the same subject is queued once per transaction, and again by the next one', async () => {
  forget();
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
  expect(heard.filter((each) => each === 'one 0')).toHaveLength(2);
});

test('queues that open at once on one database all open', async () => {
  const opened = await Promise.allSettled([open(), open(), open()]);
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
});

test('a worker that stops hands its running task back, without counting the try, and another one runs it', async () => {
  forget();
  const worker = await open();
  await worker.startWorkers(platform);
  const { task_id } = await start(linger, 'work');
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['begun work']);
  expect(await record(task_id)).toMatchObject({ status: 'running' });
  await worker.close();
  expect(await record(task_id)).toMatchObject({ status: 'queued' });
  const draining = drain();
  await expect.poll(() => heard.length, { timeout: 5_000 }).toBe(2);
  release();
  await draining;
  expect(heard).toEqual(['begun work', 'begun work', 'done work']);
  expect(await record(task_id)).toMatchObject({ status: 'succeeded' });
});

test('a worker takes a task at once, not at its next look', async () => {
  forget();
  const worker = await open();
  await worker.startWorkers(platform);
  await pause(200);
  const began = performance.now();
  await send('quick');
  await expect.poll(() => heard, { timeout: 5_000, interval: 10 }).toEqual(['one quick']);
  expect(performance.now() - began).toBeLessThan(900);
  await worker.close();
});

test(
  'the task of a worker that was killed is run by another one within the heartbeat',
  { timeout: 45_000 },
  async () => {
    forget();
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
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('begun\n');
    child.kill('SIGKILL');
    const worker = await open();
    await worker.startWorkers(platform);
    await expect.poll(() => heard, { timeout: 20_000, interval: 250 }).toEqual(['begun orphan']);
    release();
    await expect.poll(() => record(task_id), { timeout: 5_000 }).toMatchObject({ status: 'succeeded' });
    await worker.close();
  },
);

/** Takes `test.linger`, says so, and never finishes. */
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
  const queue = await openQueue({ settings, database, clock, log, metrics: openMetrics(), tasks, events: [] });
  await queue.startWorkers({ database, now: clock.now, log });
`;
