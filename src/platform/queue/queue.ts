import { PgBoss, type Job } from 'pg-boss';
import type pg from 'pg';
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
/**
 * New tasks are announced by a notification, and scheduled ones start at most this late. Polling ten queues every second kept an idle
 * server busy.
 */
const polling_seconds = 5;
const workOptions = {
  pollingIntervalSeconds: polling_seconds,
  notifyPollingIntervalSeconds: polling_seconds,
  batchSize: 1,
} as const;

/** Opens the queue (pg-boss, in its own schema of the same database) and creates what is missing for the tasks of the table. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { log, tasks } = options;
  const boss = new PgBoss({
    // pg-boss declares fewer of the settings than pg, to which it passes them.
    ...(options.settings as object),
    schema,
    max: 3,
    useListenNotify: true,
    // How often pg-boss looks for lost heartbeats. Both are needed, because each is sixty seconds by default.
    superviseIntervalSeconds: supervise_seconds,
    monitorIntervalSeconds: supervise_seconds,
  });
  const stopping = new AbortController();
  boss.on('error', (error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'the queue has an error');
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
      let total = 0;
      for (let count = 1; count > 0; total += count) {
        if (total > drained_max) throw new Error('the queue does not become empty');
        count = 0;
        for (const task of tasks)
          count += await drainQueue(boss, task, (job) => execute(platform, task, job));
      }
      return total;
    },
    close: async () => {
      stopping.abort();
      await boss.stop({ graceful: true, timeout: grace_ms });
    },
  };
}

/** Creates the schema of the queue, like a migration, so that nodes that start later find it. */
export async function installQueue(settings: pg.ClientConfig): Promise<void> {
  const boss = new PgBoss({ ...(settings as object), schema, max: 1, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

async function createQueues(boss: PgBoss, tasks: readonly Task[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  const missing = tasks.filter(({ name }) => !existing.has(name));
  // A killed worker is detected by its missing heartbeat, and another worker gets its task.
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
  // Without a heartbeat, the queue would give a task to another worker, and the last task of the batch waits for all others.
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
