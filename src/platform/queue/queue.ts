import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type pg from 'pg';
import { connectionSettings } from '#platform/database/connections.ts';
import { openDatabase } from '#platform/database/database.ts';
import type { Platform, Queue, Task } from '#platform/platform.ts';
import { openAnnouncements } from '#platform/queue/announcements.ts';
import { createEnqueuer } from '#platform/queue/enqueue.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { openLane, type Lane } from '#platform/queue/lane.ts';
import { createIndexes, type Envelope } from '#platform/queue/queued-tasks.ts';
import { retryFailedTasks } from '#platform/queue/failed-tasks.ts';
import { createQueueReader } from '#platform/queue/queue-state.ts';
import { runClaimedTasks, type Runner } from '#platform/queue/run-tasks.ts';
import { heartbeat_seconds, sendHeartbeats, startLanes } from '#platform/queue/workers.ts';

export type QueueOptions = Omit<Runner, 'put'> & {
  readonly settings: pg.PoolConfig;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
};

const schema = 'pgboss';
const grace_ms = 15_000;
const drained_max = 100_000;
const supervise_seconds = 5;
const crash_retries = 20;
/** A statement without a reply and a listener without a sign of life are given up, so that both reach the database again after its host vanished. */
const silence_limits = {
  query_timeout: 15_000,
  notifyHeartbeatIntervalMs: 5_000,
  notifyHeartbeatTimeoutMs: 5_000,
  notifyKeepAliveInitialDelayMs: connectionSettings.keepAliveInitialDelayMillis,
} as const;

/**
 * Opens the queue and creates what is missing for the tasks of the table. pg-boss owns the tables, in its own schema of the same database,
 * starts tasks on schedules, and takes tasks from workers that were lost. Writing, claiming and settling tasks is ours, because its workers
 * neither drain a queue at the speed of the work nor let organisations take turns (docs/decisions/queue.md).
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { log, tasks, database } = options;
  const boss = new PgBoss({
    ...connectionSettings,
    // pg-boss declares fewer of the settings than pg, to which it passes them.
    ...(options.settings as object),
    ...silence_limits,
    schema,
    max: 3,
    // How often pg-boss looks for lost heartbeats. Both are needed, because each is sixty seconds by default.
    superviseIntervalSeconds: supervise_seconds,
    monitorIntervalSeconds: supervise_seconds,
  });
  const stopping = new AbortController();
  boss.on('error', (error) => {
    // pg-boss asks every few seconds. That the database is unavailable is in the log once.
    if (!stopping.signal.aborted && database.getLastState() === 'up')
      log.warn({ err: error }, 'the queue has an error');
  });
  await boss.start();
  await createQueues(boss, tasks);

  const announcements = openAnnouncements(boss, database);
  const enqueuer = createEnqueuer({ ...options, announce: (name) => announcements.announce(name) });
  const lanesByPlatform = new Map<Platform, readonly Lane[]>();
  const endings: (() => void)[] = [];
  let finishRuns: () => Promise<void> = async () => undefined;
  /** Opens the lanes of all tasks once for each platform, which the tasks receive. */
  const openLanes = (platform: Platform): readonly Lane[] => {
    const opened = lanesByPlatform.get(platform);
    if (opened) return opened;
    const runner = { ...options, ...enqueuer };
    const lanes = tasks.map((task) =>
      openLane(task, {
        database,
        stopping: stopping.signal,
        run: (queuedTasks, signal) => runClaimedTasks(runner, platform, task, queuedTasks, signal),
      }),
    );
    lanesByPlatform.set(platform, lanes);
    endings.push(sendHeartbeats(boss, lanes));
    return lanes;
  };

  return {
    ...enqueuer,
    readStates: createQueueReader({ database, tasks }),
    retryFailed: (tx, failed) =>
      retryFailedTasks(
        { tasks, clock: options.clock, put: (...queued) => enqueuer.put(...queued) },
        tx,
        failed,
      ),
    startWorkers: async (platform) => {
      await createSchedules(boss, tasks);
      const lanes = openLanes(platform);
      finishRuns = await startLanes(lanes, { database, announcements, stopping: stopping.signal, log });
    },
    drain: (platform) => drainLanes(openLanes(platform)),
    close: async () => {
      stopping.abort();
      await Promise.race([finishRuns(), pause(grace_ms, undefined, { ref: false })]);
      for (const end of endings) end();
      const lanes = [...lanesByPlatform.values()].flat();
      await Promise.all(lanes.map((lane) => lane.release().catch(() => undefined)));
      await announcements.close();
      await boss.stop({ graceful: true, timeout: grace_ms });
    },
  };
}

/** Creates the schema and the indexes of the queue as the owner of the database, like a migration, so that nodes that start later find them. */
export async function installQueue(settings: pg.ClientConfig): Promise<void> {
  const boss = new PgBoss({ ...(settings as object), schema, max: 1, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  try {
    await createIndexes(database);
  } finally {
    await database.close();
  }
}

async function createQueues(boss: PgBoss, tasks: readonly Task[]): Promise<void> {
  const existing = new Set((await boss.getQueues()).map(({ name }) => name));
  const missing = tasks.filter(({ name }) => !existing.has(name));
  // A killed worker is detected by its missing heartbeat, and another worker gets its task.
  const options = {
    heartbeatSeconds: heartbeat_seconds,
    retryLimit: crash_retries,
    expireInSeconds: 3_600,
  };
  await Promise.all(missing.map(({ name }) => boss.createQueue(name, options)));
}

async function createSchedules(boss: PgBoss, tasks: readonly Task[]): Promise<void> {
  const data = { data: {}, attempt: 1 } satisfies Envelope;
  await Promise.all(tasks.map(async ({ name, every }) => every && (await boss.schedule(name, every, data))));
}

/** Runs everything that waits, and what the runs queue. @returns the number of queued tasks. */
async function drainLanes(lanes: readonly Lane[]): Promise<number> {
  let total = 0;
  for (let count = 1; count > 0; total += count) {
    if (total > drained_max) throw new Error('the queue does not become empty');
    count = 0;
    for (const lane of lanes) count += await lane.work({ early: true });
  }
  return total;
}
