import { sql, type Database } from '#platform/database/database.ts';
import type { Task } from '#platform/platform.ts';
import type { Enqueuer } from '#platform/queue/enqueue.ts';
import { readAhead, type QueueClock } from '#platform/queue/queue-clock.ts';
import { buildDueTime } from '#platform/queue/stored-tasks.ts';

/** The schedules of tasks: one row each, with the time at which the task is queued next. */
export type Schedules = {
  /** Adds the rows that are missing, and computes the time again if a cron expression has changed. */
  store(): Promise<void>;
  /** Queues the tasks whose time has come. Whichever node moves the row on queues the task, so it is queued once. */
  queueDueTasks(): Promise<void>;
};

type SchedulesOptions = Pick<Enqueuer, 'put'> & {
  readonly database: Database;
  readonly clock: QueueClock;
  readonly tasks: readonly Task[];
};

/**
 * Opens the schedules. Times are those of the database, so that the clocks of nodes may differ. A time that passed while no worker ran is
 * made up for once.
 */
export function openSchedules({ database, clock, tasks, put }: SchedulesOptions): Schedules {
  const scheduled = new Map(tasks.flatMap((task) => (task.every ? [[task.name, task] as const] : [])));
  const addAhead = (time: Date) => new Date(time.getTime() + readAhead(clock));
  return {
    store: async () => {
      const { now } = await database.one(sql<{ now: Date }>`select now()`);
      for (const [name, { every = '' }] of scheduled)
        await database.run(sql`
          insert into task_schedules (name, every, due_at) values (${name}, ${every}, ${computeNextTime(every, addAhead(now))})
          on conflict (name) do update set every = excluded.every, due_at = excluded.due_at
          where task_schedules.every <> excluded.every`);
    },
    queueDueTasks: async () => {
      const time = buildDueTime(readAhead(clock));
      const due = await database.list(sql<{ name: string; every: string; now: Date }>`
        select name, every, now() from task_schedules
        where name = any(${[...scheduled.keys()]}::text[]) and due_at <= ${time}`);
      for (const { name, every, now } of due)
        await database.transaction(async (tx) => {
          const moved = await tx.run(sql`
            update task_schedules set due_at = ${computeNextTime(every, addAhead(now))} where name = ${name} and due_at <= ${time}`);
          if (moved === 1) put(tx, scheduled.get(name)!, {});
        });
    },
  };
}

const minute_ms = 60_000;
const minutes_of_day = 1_440;

/**
 * Computes the first time of a cron expression after another time, in UTC. An expression has a minute (`7`, `*` or every fifth, written with a
 * slash: `*` `/5`), an hour (`4` or `*`), and `* * *` for every day, because no task needs more.
 *
 * @throws Error if the expression has anything else.
 */
export function computeNextTime(every: string, after: Date): Date {
  const fields = /^(?:(\d+)|\*(?:\/(\d+))?) (?:(\d+)|\*) \* \* \*$/.exec(every);
  if (!fields) throw new Error(`the schedule "${every}" is not supported`);
  const [minute, step, hour] = fields.slice(1).map((text) => (text === undefined ? undefined : Number(text)));
  const isMatch = (time: Date) =>
    (minute === undefined ? time.getUTCMinutes() % (step ?? 1) === 0 : time.getUTCMinutes() === minute) &&
    (hour === undefined || time.getUTCHours() === hour);
  const first_ms = (Math.floor(after.getTime() / minute_ms) + 1) * minute_ms;
  for (let minutes = 0; minutes < minutes_of_day; minutes++) {
    const time = new Date(first_ms + minutes * minute_ms);
    if (isMatch(time)) return time;
  }
  throw new Error(`the schedule "${every}" never comes`);
}
