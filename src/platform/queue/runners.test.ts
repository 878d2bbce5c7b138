import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { createUse } from '#platform/database/share-pool.ts';
import type { Platform, Queue } from '#platform/platform.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { startWithoutPolls } from '#test/start-without-polls.ts';
import { openQueue } from './queue.ts';
import { claimTasks, listDueNames, takeBackLostTasks } from './stored-tasks.ts';
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
const claimed = define('burst.claimed', {
  group_by: ({ org_id }) => org_id ?? '',
  merge_by: ({ note }) => note,
});
const tasks = [plain, parallel, fair, merged] as readonly Task[];

const log = pino({ level: 'silent' });
const clock = createFakeClock();
let database: Database;
let queue: Queue;
/** Has no worker, so that the test itself claims. */
let otherQueue: Queue;

beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), () => undefined);
  queue = openQueue({ database, clock, log, metrics: openMetrics(), tasks, events: [] });
  otherQueue = openQueue({ database, clock, log, metrics: openMetrics(), tasks: [claimed], events: [] });
  // The queue passes the platform on to the tasks, and these use nothing else of it.
  await queue.startWorkers({ database, now: clock.now, log } as unknown as Platform);
});
afterAll(async () => {
  await otherQueue.close();
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
  await expect.poll(() => begun.length, { interval: 5 }).toBe(count);
}
const openGate = () => {
  isOpen = true;
  for (const finish of waiting.splice(0)) finish();
};
async function waitUntilEmpty(): Promise<void> {
  const countTasks = () => database.one(sql`select count(*) from tasks where status <> 'succeeded'`);
  await expect.poll(countTasks, { interval: 10 }).toEqual({ count: 0 });
}

test('a burst of tasks is drained without waiting for polls, and nothing of it stays in the queue', async () => {
  const drained = define('burst.drained');
  const own = openQueue({ database, clock, log, metrics: openMetrics(), tasks: [drained], events: [] });
  await startWithoutPolls(() => own.startWorkers({ database, now: clock.now, log } as unknown as Platform));
  const notes = listNotes(1_000);
  await database.transaction(async (tx) => {
    for (const note of notes) await own.send(tx, drained, note);
  });
  await waitUntilEmpty();
  expect(begun.toSorted()).toEqual(notes.map(({ note }) => note).toSorted());
  await own.close();
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
  expect(await listDueNames(database, [name])).toEqual([]);
  await database.transaction((tx) => queue.send(tx, fair, { note: 'B-due', org_id: 'B' }));
  expect(await listDueNames(database, [name, 'burst.plain'])).toEqual([name]);
  const options = { name, limit: 10, after_group: '', early: false, now: clock.now() };
  expect(await claimTasks(database, options)).toMatchObject([
    { data: { note: 'B-due' }, attempt: 1, group_id: 'B' },
  ]);
  openGate();
  await database.run(sql`delete from tasks where name = ${name}`);
});

test('a claim begins with the group after the one that was served last, takes the oldest of each, and comes round', async () => {
  const late = new Date(Date.now() - 60_000);
  await database.transaction(async (tx) => {
    for (const [index, org_id] of ['A', 'A', 'B', 'C', 'C'].entries())
      await otherQueue.send(
        tx,
        claimed,
        { note: `${org_id}${index}`, org_id },
        { start_after: new Date(late.getTime() - index) },
      );
  });
  const claim = (after_group: string, limit: number) =>
    claimTasks(database, { name: claimed.name, limit, after_group, early: false, now: clock.now() });
  const readNotes = (tasks: readonly { readonly data: object }[]) =>
    tasks.map(({ data }) => (data as Note).note);
  expect(readNotes(await claim('B', 1))).toEqual(['C4']);
  expect(readNotes(await claim('B', 3))).toEqual(['C3', 'A1', 'A0']);
  expect(readNotes(await claim('B', 3))).toEqual(['B2']);
  await database.run(sql`delete from tasks where name = ${claimed.name}`);
});

test('a task that is queued for later is not queued again if one with its key is queued for that time or before', async () => {
  const addMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const sendLater = (note: string, minutes: number) =>
    database.transaction((tx) =>
      otherQueue.send(tx, claimed, { note }, { start_after: addMinutes(minutes), unless_sooner: true }),
    );
  for (const minutes of [20, 30, 10, 15]) await sendLater('one', minutes);
  await sendLater('two', 30);
  const { count } = await database.one(
    sql<{ count: number }>`select count(*) from tasks where name = ${claimed.name}`,
  );
  expect(count).toBe(3);
  await database.run(sql`delete from tasks where name = ${claimed.name}`);
});

test('the task of a lost worker is queued again, and has failed once it has lost twenty', async () => {
  await database.transaction((tx) => otherQueue.send(tx, claimed, { note: 'deadly' }));
  const readState = () =>
    database.one(
      sql`select status, lost_workers, attempt, claim_id, error from tasks where name = ${claimed.name}`,
    );
  for (let losses = 1; losses <= 21; losses++) {
    const options = { name: claimed.name, limit: 1, after_group: '', early: false, now: clock.now() };
    expect(await claimTasks(database, options)).toHaveLength(1);
    await takeBackLostTasks(database);
    expect(await readState()).toMatchObject({ status: 'running' });
    await database.run(sql`update tasks set heartbeat_at = now() - interval '11 seconds'`);
    await takeBackLostTasks(database);
    const status = losses <= 20 ? 'queued' : 'failed';
    expect(await readState()).toEqual({
      status,
      lost_workers: losses,
      attempt: 1,
      claim_id: null,
      error: null,
    });
  }
  await database.run(sql`delete from tasks where name = ${claimed.name}`);
});

test('hundreds of tasks of one tenant leave connections to requests', async () => {
  const slow = Array.from({ length: 20 }, (_, index) =>
    define(`burst.slow_${index}`, {
      parallel: 20,
      run: ({ database: connections }, { note }) =>
        connections.transaction(async (tx) => {
          await tx.run(sql`select 1`);
          await recordRun(note);
        }),
    }),
  );
  const slowQueue = openQueue({ database, clock, log, metrics: openMetrics(), tasks: slow, events: [] });
  isOpen = false;
  await database.transaction(async (tx) => {
    for (const each of slow) for (const note of listNotes(20)) await slowQueue.send(tx, each, note);
  });
  await slowQueue.startWorkers({ database, now: clock.now, log } as unknown as Platform);
  await expect.poll(() => begun.length).toBe(3);
  const read = () => database.one(sql<{ one: number }>`select 1 as one`);
  for (const key of ['one', 'two', 'three'])
    expect(await database.runInUse(createUse(key), read)).toEqual({ one: 1 });
  expect(begun).toHaveLength(3);
  openGate();
  await waitUntilEmpty();
  await slowQueue.close();
  expect(begun).toHaveLength(400);
});
