import { PgBoss, type Job } from 'pg-boss';
import type pg from 'pg';
import { connectionSettings } from '#platform/database/connections.ts';
import type { Platform, Queue, Task } from '#platform/platform.ts';
import { createEnqueuer, type Envelope } from '#platform/queue/enqueue.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { runJob, type Runner } from '#platform/queue/run-job.ts';

export type QueueOptions = Omit<Runner, 'put'> & {
  readonly settings: pg.PoolConfig;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
};

const schema = 'pgboss';
const grace_ms = 15_000;
const drained_max = 100_000;
const heartbeat_ms = 10_000;
const supervise_seconds = 5;
const crash_retries = 20;
/** What is due now is told by a notification; what was to wait comes this late at most. Polling ten queues every second kept an idle server busy. */
const polling_seconds = 5;
/** A statement without a reply and a listener without a sign of life are given up, so that both reach the database again after its host vanished. */
const silence_limits = {
  query_timeout: 15_000,
  notifyHeartbeatIntervalMs: 5_000,
  notifyHeartbeatTimeoutMs: 5_000,
  notifyKeepAliveInitialDelayMs: connectionSettings.keepAliveInitialDelayMillis,
} as const;
const workOptions = {
  pollingIntervalSeconds: polling_seconds,
  notifyPollingIntervalSeconds: polling_seconds,
  batchSize: 1,
} as const;

/** Opens the queue (pg-boss, in its own schema of the same database) and makes sure that every task of the table has one. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { log, tasks } = options;
  const boss = new PgBoss({
    ...connectionSettings,
    ...(options.settings as object),
    ...silence_limits,
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

  const enqueuer = createEnqueuer(boss, options);
  const execute = (platform: Platform, task: Task, job: Job<Envelope>) =>
    runJob({ ...options, ...enqueuer }, platform, task, job, stopping.signal);

  return {
    ...enqueuer,
    startWorkers: async (platform) => {
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
          ranNow += await drainQueue(boss, task, (job) => execute(platform, task, job));
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

async function drainQueue(
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
