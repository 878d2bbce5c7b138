import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import type { Platform, Queue } from '#platform/platform.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { claimTasks, listDueTasks } from './queued-tasks.ts';
import { openQueue } from './queue.ts';
import { task, type Task } from './task.ts';

type Note = { readonly note: string; readonly org_id?: string };

/** The notes of the runs in the order in which they began, and the functions that let the runs end that wait. */
const begun: string[] = [];
const waiting: (() => void)[] = [];
let isOpen = true;

/** Records the run and, while the gate is closed, waits until it is released. */
async function recordRun(note: string): Promise<void> {
  begun.push(note);
  if (!isOpen) await new Promise<void>((resolve) => void waiting.push(resolve));
}

const define = (name: string, options: Partial<Task<Note>> = {}) =>
  task<Note>({ name, retry_seconds: [], run: (_, { note }) => recordRun(note), ...options });
const plain = define('burst.plain');
const parallel = define('burst.parallel', { parallel: 3 });
/** Each run takes longer than a batch of short runs may take. */
const fair = define('burst.fair', {
  group_by: ({ org_id }) => org_id ?? '',
  run: async (_, { note }) => {
    await recordRun(note);
    await pause(10);
  },
});
const merged = define('burst.merged', { merge_by: ({ note }) => note });
const both = define('burst.both', { group_by: ({ org_id }) => org_id ?? '', merge_by: ({ note }) => note });
const tasks = [plain, parallel, fair, merged, both] as readonly Task[];

const log = pino({ level: 'silent' });
const clock = createFakeClock();
let database: Database;
let queue: Queue;
let settings: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  settings = await cloneDatabase();
  database = openDatabase(settings, () => undefined);
  queue = await openQueue({ settings, database, clock, log, metrics: openMetrics(), tasks, events: [] });
  // The queue passes the platform on to the tasks, and these use nothing else of it.
  await queue.startWorkers({ database, now: clock.now, log } as unknown as Platform);
});
afterAll(async () => {
  await queue.close();
  await database.close();
});
beforeEach(() => {
  begun.length = 0;
  isOpen = true;
});

const sendAll = (sent: Task<Note>, notes: readonly Note[]) =>
  database.transaction(async (tx) => {
    for (const note of notes) await queue.send(tx, sent, note);
  });
const listNotes = (count: number, org_id = 'A') =>
  Array.from({ length: count }, (_, index) => ({ note: `${org_id}${index}`, org_id }));
async function waitForRuns(count: number): Promise<void> {
  await expect.poll(() => begun.length, { timeout: 5_000, interval: 5 }).toBe(count);
}
const openGate = () => {
  isOpen = true;
  for (const finish of waiting.splice(0)) finish();
};
async function waitUntilEmpty(): Promise<void> {
  const countTasks = () => database.one(sql`select count(*) from pgboss.job where name like 'burst.%'`);
  await expect.poll(countTasks, { timeout: 5_000, interval: 10 }).toEqual({ count: 0 });
}

test('a burst of tasks is drained at the speed of the work, and nothing of it stays in the queue', async () => {
  const started = performance.now();
  await sendAll(plain, listNotes(1_000));
  await waitUntilEmpty();
  // The worker used to sleep for five seconds after each of them.
  expect(performance.now() - started).toBeLessThan(4_500);
  expect(begun.toSorted()).toEqual(
    listNotes(1_000)
      .map(({ note }) => note)
      .toSorted(),
  );
});

test('a task that waits for others runs as often at a time as it allows, and not more often', async () => {
  isOpen = false;
  await sendAll(parallel, listNotes(7));
  await waitForRuns(3);
  waiting.shift()?.();
  await waitForRuns(4);
  openGate();
  await waitUntilEmpty();
  expect(begun).toHaveLength(7);
});

test('the tasks of one organisation delay the task of another by at most one run', async () => {
  isOpen = false;
  await sendAll(fair, listNotes(120, 'B'));
  await waitForRuns(1);
  for (const org_id of ['C', 'A']) {
    await sendAll(fair, listNotes(1, org_id));
    waiting.shift()?.();
    await waitForRuns(begun.length + 1);
    expect(begun.at(-1)).toBe(`${org_id}0`);
  }
  openGate();
  await waitUntilEmpty();
  expect(begun).toHaveLength(122);
});

test('several organisations with many tasks take turns', async () => {
  isOpen = false;
  for (const org_id of ['A', 'B', 'C']) await sendAll(fair, listNotes(5, org_id));
  for (let run = 1; run <= 15; run++) {
    await waitForRuns(run);
    waiting.shift()?.();
  }
  const organisations = begun.map((note) => note[0]);
  for (let turn = 1; turn < 4; turn++)
    expect(new Set(organisations.slice(3 * turn, 3 * turn + 3))).toEqual(new Set(['A', 'B', 'C']));
  await waitUntilEmpty();
});

test('waiting tasks with the same key are done by one run, and a task that is queued during a run has another', async () => {
  isOpen = false;
  const users = Array.from({ length: 50 }, () => randomUUID());
  const startAll = async () => {
    const started: string[] = [];
    for (const user of users) {
      const { task_id } = await database.transaction((tx) => queue.start(tx, merged, { note: 'same' }, user));
      started.push(task_id);
    }
    return started;
  };
  await sendAll(merged, [{ note: 'same' }]);
  await waitForRuns(1);
  const task_ids = await startAll();
  await sendAll(merged, [{ note: 'other' }]);
  openGate();
  await waitUntilEmpty();
  expect(begun).toEqual(['same', 'same', 'other']);
  const statuses = await database.list(
    sql`select status, count(*) from tasks where id = any(${task_ids}::uuid[]) group by status`,
  );
  expect(statuses).toEqual([{ status: 'succeeded', count: 50 }]);
});

test('a transaction that is open while its task is merged with others gets a run that sees its changes', async () => {
  isOpen = false;
  await sendAll(merged, [{ note: 'first' }]);
  await waitForRuns(1);
  await database.transaction(async (tx) => {
    await queue.send(tx, merged, { note: 'first' });
    await sendAll(merged, [{ note: 'first' }]);
    openGate();
    await waitForRuns(2);
  });
  await waitForRuns(3);
  await waitUntilEmpty();
  expect(begun).toEqual(['first', 'first', 'first']);
});

test('tasks whose time has not come are neither due nor claimed, and do not delay those of their group', async () => {
  const name = 'burst.fair';
  isOpen = false;
  await sendAll(fair, listNotes(1, 'A'));
  await waitForRuns(1);
  const later = new Date(Date.now() + 3_600_000);
  await database.transaction(async (tx) => {
    for (const note of listNotes(3, 'A')) await queue.send(tx, fair, note, { start_after: later });
  });
  expect(await listDueTasks(database, [name])).toEqual([]);
  await database.transaction((tx) => queue.send(tx, fair, { note: 'B-due', org_id: 'B' }));
  expect(await listDueTasks(database, [name, 'burst.plain'])).toEqual([name]);
  const claimed = await claimTasks(database, { name, limit: 10, last_group: undefined, early: false });
  expect(claimed).toMatchObject({
    queuedTasks: [{ data: { data: { note: 'B-due' }, attempt: 1 }, retry_count: 0 }],
    last_group: 'B',
  });
  openGate();
  await database.run(sql`delete from pgboss.job where name = ${name}`);
});

test('a queued task is the same row as pg-boss writes, except that it is kept until it has run', async () => {
  const boss = new PgBoss({ ...settings, max: 1, supervise: false, schedule: false });
  await boss.start();
  const start_after = new Date(Date.now() + 3_600_000);
  const data = { note: 'row', org_id: 'A' };
  await boss.send(
    'burst.both',
    { data, attempt: 1 },
    { startAfter: start_after, group: { id: 'A' }, singletonKey: 'row' },
  );
  await database.transaction((tx) => queue.send(tx, both, data, { start_after }));
  await boss.send('burst.plain', { data, attempt: 1 }, { startAfter: start_after });
  await database.transaction((tx) => queue.send(tx, plain, data, { start_after }));
  await boss.stop({ graceful: false });
  for (const name of ['burst.both', 'burst.plain']) {
    const [theirs, ours] = await database.list(sql<Readonly<Record<string, unknown>>>`
      select * from pgboss.job where name = ${name} order by created_on`);
    expect(Object.keys(ours!).length).toBeGreaterThan(30);
    expect(ours!['keep_until']).toBe(Infinity);
    const varying = { id: '', created_on: '', keep_until: '' };
    expect({ ...ours, ...varying }).toEqual({ ...theirs, ...varying });
  }
  await database.run(sql`delete from pgboss.job where name like 'burst.%'`);
});

test('a task that was due long ago is still there after the maintenance of the queue', async () => {
  const boss = new PgBoss({ ...settings, max: 1, supervise: false, schedule: false });
  await boss.start();
  const start_after = new Date(Date.now() - 60 * 86_400_000);
  await database.transaction((tx) => queue.send(tx, plain, { note: 'late', org_id: 'A' }, { start_after }));
  await boss.supervise();
  await boss.stop({ graceful: false });
  const { count } = await database.one(
    sql<{ count: number }>`select count(*) from pgboss.job where name = 'burst.plain'`,
  );
  expect(count).toBe(1);
  await database.run(sql`delete from pgboss.job where name like 'burst.%'`);
});

test('a task that pg-boss has no queue for is a defect, and its transaction has no effect', async () => {
  const unknown = define('burst.unknown');
  await expect(sendAll(unknown, listNotes(1))).rejects.toThrow(/null value in column "name"/);
  expect(await database.list(sql`select * from pgboss.job where name = 'burst.unknown'`)).toEqual([]);
});
