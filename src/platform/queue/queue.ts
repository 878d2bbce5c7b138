import { randomUUID } from 'node:crypto';
import { PgBoss, type Job } from 'pg-boss';
import type pg from 'pg';
import type { Clock } from '#platform/clock.ts';
import { sql, type Database, type Executor, type Transaction } from '#platform/database/database.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Platform, Queue, Task } from '#platform/platform.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { trackedRun } from '#platform/queue/task-record.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

export type QueueOptions = {
  readonly settings: pg.PoolConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry?: Telemetry | undefined;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
};

/** What travels through the queue: the task's data, its try, and the record that a user watches. */
type Envelope = { readonly data: object; readonly attempt: number; readonly task_id?: string };

const schema = 'pgboss';
const grace_ms = 15_000;
const drained_max = 100_000;
const heartbeat_ms = 10_000;
const supervise_seconds = 5;
const crash_retries = 20;
/** What is due now is told by a notification; what was to wait comes this late at most. Polling ten queues every second kept an idle server busy. */
const polling_seconds = 5;
const workOptions = {
  pollingIntervalSeconds: polling_seconds,
  notifyPollingIntervalSeconds: polling_seconds,
  batchSize: 1,
} as const;

/** Opens the queue (pg-boss, in its own schema of the same database) and makes sure that every task of the table has one. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { clock, log, tasks } = options;
  const tasksByEvent = new Map(options.events.map(({ event, tasks }) => [event.name, tasks]));
  const boss = new PgBoss({
    ...(options.settings as object),
    schema,
    max: 3,
    useListenNotify: true,
    // Both, for one alone keeps the other's sixty seconds: how often lost heartbeats are looked for.
    superviseIntervalSeconds: supervise_seconds,
    monitorIntervalSeconds: supervise_seconds,
  });
  const stopping = new AbortController();
  boss.on('error', (error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'queue');
  });
  await boss.start();
  await createQueues(boss, tasks);

  const put = async (tx: Transaction, task: Task, envelope: Envelope, start_after?: Date) => {
    const startAfter = start_after && { startAfter: start_after };
    await boss.send(task.name, envelope, { ...startAfter, db: inside(tx) });
  };
  const queued = new WeakMap<Transaction, Set<string>>();
  /** Two changes of one transaction often start the same task for the same subject: one run sees both. */
  const putOnce = async (tx: Transaction, task: Task, data: object) => {
    const known = queued.get(tx) ?? new Set();
    queued.set(tx, known);
    const key = `${task.name} ${JSON.stringify(data)}`;
    if (known.has(key)) return;
    known.add(key);
    await put(tx, task, { data, attempt: 1 });
  };
  const execute = (platform: Platform, task: Task, job: Job<Envelope>) =>
    runJob({ ...options, put }, platform, task, job, stopping.signal);

  return {
    send: (tx, task, data, { start_after } = {}) =>
      start_after ? put(tx, task, { data, attempt: 1 }, start_after) : putOnce(tx, task, data),
    start: async (tx, task, data, user_id) => {
      const task_id = randomUUID();
      const now = clock.now();
      await tx.run(sql`
        insert into tasks (id, name, user_id, status, created_at, updated_at)
        values (${task_id}, ${task.name}, ${user_id}, 'queued', ${now}, ${now})`);
      await put(tx, task, { data, attempt: 1, task_id });
      return { task_id, status: 'queued' };
    },
    emit: async (tx, event, data) => {
      const started = tasksByEvent.get(event.name);
      if (!started) throw new Error(`the event ${event.name} is missing from src/events.ts`);
      await tx.run(
        sql`insert into events (id, type, data, created_at) values (${randomUUID()}, ${event.name}, ${JSON.stringify(data)}, ${clock.now()})`,
      );
      for (const task of started) await putOnce(tx, task, data);
    },
    work: async (platform) => {
      const starting = tasks.map(async (task) => {
        await boss.work<Envelope>(task.name, workOptions, async ([job]) => {
          if (job) await execute(platform, task, job);
        });
        if (task.every)
          await boss.schedule(task.name, task.every, { data: {}, attempt: 1 } satisfies Envelope);
      });
      await Promise.all(starting);
    },
    drain: async (platform) => {
      let ran = 0;
      for (let ranNow = 1; ranNow > 0; ran += ranNow) {
        if (ran > drained_max) throw new Error('the queue does not come to rest');
        ranNow = 0;
        for (const task of tasks)
          ranNow += await drainOnce(boss, task, (job) => execute(platform, task, job));
      }
      return ran;
    },
    close: async () => {
      stopping.abort();
      await boss.stop({ graceful: true, timeout: grace_ms });
    },
  };
}

/** Creates the queue's own schema, as a migration does: nodes that start later find it there. */
export async function installQueue(settings: pg.ClientConfig): Promise<void> {
  const boss = new PgBoss({ ...(settings as object), schema, max: 1, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

async function createQueues(boss: PgBoss, tasks: readonly Task[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  const missing = tasks.filter(({ name }) => !existing.has(name));
  // A worker that was killed is noticed by its missing heartbeat, and its task goes to another one.
  const options = {
    notify: true,
    heartbeatSeconds: heartbeat_ms / 1000,
    retryLimit: crash_retries,
    expireInSeconds: 3_600,
  };
  await Promise.all(missing.map(({ name }) => boss.createQueue(name, options)));
}

/** pg-boss writes its job with the statements of our own transaction. */
function inside(tx: Transaction) {
  return { executeSql: (text: string, values?: unknown[]) => tx.client.query(text, values) };
}

async function drainOnce(
  boss: PgBoss,
  { name }: Task,
  execute: (job: Job<Envelope>) => Promise<void>,
): Promise<number> {
  const jobs = await boss.fetch<Envelope>(name, { batchSize: 100, ignoreStartAfter: true });
  const waiting = new Set(jobs.map(({ id }) => id));
  // The queue takes a task back whose worker shows no sign of life; the last of the batch waits for all before it.
  const heartbeat = setInterval(
    () => void boss.touch(name, [...waiting]).catch(() => undefined),
    heartbeat_ms / 3,
  );
  try {
    for (const job of jobs) {
      await execute(job);
      await boss.complete(name, job.id);
      waiting.delete(job.id);
    }
  } finally {
    clearInterval(heartbeat);
  }
  return jobs.length;
}

type Runner = QueueOptions & {
  put(tx: Transaction, task: Task, envelope: Envelope, start_after?: Date): Promise<void>;
};

async function runJob(
  runner: Runner,
  platform: Platform,
  task: Task,
  job: Job<Envelope>,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, log, metrics, database, telemetry } = runner;
  const { data, attempt, task_id } = job.data;
  const signal = AbortSignal.any([job.signal, stopping].filter((one) => one instanceof AbortSignal));
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const run = () => trackedRun(platform, task, data as never, { task_id, signal });
    await (telemetry?.traceRun(
      `task ${task.name}`,
      { 'tessera.task': task.name, 'tessera.attempt': attempt },
      run,
    ) ?? run());
    metrics.observeTask(task.name, 'succeeded', seconds());
  } catch (error) {
    // While stopping, or after the queue took the job back, the try does not count: another worker has it, or gets it.
    if (signal.aborted) {
      await markQueued(database, task_id, clock.now());
      throw error;
    }
    const wait_s = task.retry_seconds[attempt - 1];
    log.error(
      { task: task.name, attempt, err: error },
      wait_s === undefined ? 'task failed' : 'task will be tried again',
    );
    metrics.observeTask(task.name, wait_s === undefined ? 'failed' : 'retried', seconds());
    await database.transaction(async (tx) => {
      if (wait_s === undefined) return markFailed(tx, task_id, clock.now());
      const start_after = new Date(clock.now().getTime() + wait_s * 1000);
      await markQueued(tx, task_id, clock.now());
      return runner.put(tx, task, { ...job.data, attempt: attempt + 1 }, start_after);
    });
  }
}

/** A task that waits for its next try; one that another worker has meanwhile brought to its end stays there. */
async function markQueued(executor: Executor, task_id: string | undefined, now: Date): Promise<void> {
  if (!task_id) return;
  await executor.run(
    sql`update tasks set status = 'queued', updated_at = ${now} where id = ${task_id} and status = 'running'`,
  );
}

async function markFailed(tx: Transaction, task_id: string | undefined, now: Date): Promise<void> {
  if (!task_id) return;
  const error = 'The work failed after several tries.';
  await tx.run(
    sql`update tasks set status = 'failed', error = ${error}, updated_at = ${now} where id = ${task_id}`,
  );
}
