import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { taskTable } from '../../tables/tasks.ts';
import { createEnqueuer } from './enqueue.ts';
import { openQueue } from './queue.ts';
import { computeNextTime, openSchedules, type Schedules } from './schedules.ts';
import { task, type Task } from './task.ts';

const define = (every: string): Task =>
  task<object>({ name: 'schedules.clean', retry_seconds: [], every, run: async () => undefined });

let database: Database;
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), () => undefined);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.run(sql`delete from task_schedules`);
  await database.run(sql`delete from tasks`);
});

const openNode = (every: string): Schedules => {
  const options = { clock: createFakeClock(), tasks: [define(every)], events: [], announce: () => undefined };
  return openSchedules({ ...createEnqueuer(options), database, clock: options.clock, tasks: options.tasks });
};
const countQueued = async () =>
  (await database.one(sql<{ count: number }>`select count(*) from tasks where status = 'queued'`)).count;
const makeDue = () => database.run(sql`update task_schedules set due_at = now() - interval '3 hours'`);

test('a task is queued once when its time has come, by however many nodes, and next at its next time', async () => {
  const nodes = [1, 2, 3, 4].map(() => openNode('17 * * * *'));
  await Promise.all(nodes.map((node) => node.store()));
  await Promise.all(nodes.map((node) => node.queueDueTasks()));
  expect(await countQueued()).toBe(0);
  await makeDue();
  await Promise.all(nodes.map((node) => node.queueDueTasks()));
  // The times that passed meanwhile are made up for once.
  expect(await countQueued()).toBe(1);
  const schedules = await database.list(sql`
    select extract(minute from due_at)::integer as minute, due_at > now() and due_at <= now() + interval '1 hour' as is_next from task_schedules`);
  expect(schedules).toEqual([{ minute: 17, is_next: true }]);
});

test('a start keeps the time of a schedule, and computes it again if the expression has changed', async () => {
  await openNode('17 * * * *').store();
  await makeDue();
  await openNode('17 * * * *').store();
  const isDue = sql`select due_at < now() as is_due, every from task_schedules`;
  expect(await database.list(isDue)).toEqual([{ is_due: true, every: '17 * * * *' }]);
  await openNode('*/5 * * * *').store();
  expect(await database.list(isDue)).toEqual([{ is_due: false, every: '*/5 * * * *' }]);
});

test('a worker queues and runs what is due', async () => {
  let runs = 0;
  const tasks = [{ ...define('* * * * *'), run: async () => void runs++ }];
  const log = pino({ level: 'silent' });
  const clock = createFakeClock();
  const queue = openQueue({ database, clock, log, metrics: openMetrics(), tasks, events: [] });
  await queue.startWorkers({ database, now: clock.now, log } as never);
  await makeDue();
  await expect.poll(() => runs).toBe(1);
  await queue.close();
});

test.each([
  ['* * * * *', '2026-03-04T05:06:07Z', '2026-03-04T05:07:00Z'],
  ['* * * * *', '2026-03-04T05:06:00Z', '2026-03-04T05:07:00Z'],
  ['*/5 * * * *', '2026-03-04T05:06:07Z', '2026-03-04T05:10:00Z'],
  ['*/5 * * * *', '2026-12-31T23:56:00Z', '2027-01-01T00:00:00Z'],
  ['17 * * * *', '2026-03-04T05:17:00Z', '2026-03-04T06:17:00Z'],
  ['17 3 * * *', '2026-03-04T03:16:59Z', '2026-03-04T03:17:00Z'],
  ['17 3 * * *', '2026-03-04T03:17:00Z', '2026-03-05T03:17:00Z'],
  ['41 0 * * *', '2026-02-28T12:00:00Z', '2026-03-01T00:41:00Z'],
])('the first time of "%s" after %s is %s', (every, after, next) => {
  expect(computeNextTime(every, new Date(after))).toEqual(new Date(next));
});

test('every schedule of the table is supported, and others are refused', () => {
  const after = new Date('2026-03-04T05:06:07Z');
  const schedules = taskTable.flatMap(({ every }) => every ?? []);
  expect(schedules.every((every) => computeNextTime(every, after) > after)).toBe(true);
  for (const wrong of [
    '',
    '1-5 * * * *',
    '* * 1 * *',
    '60 * * * *',
    '* 24 * * *',
    '0,30 * * * *',
    '*/0 * * * *',
  ])
    expect(() => computeNextTime(wrong, after)).toThrow(/schedule/);
});
