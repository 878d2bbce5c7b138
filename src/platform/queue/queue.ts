import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database/database.ts';
import type { Platform, Queue, Task } from '#platform/platform.ts';
import { openAnnouncements } from '#platform/queue/announcements.ts';
import { createEnqueuer } from '#platform/queue/enqueue.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { queueFailedTasks } from '#platform/queue/failed-tasks.ts';
import { createQueueReader } from '#platform/queue/queue-state.ts';
import { runTasks, type Reports } from '#platform/queue/run-tasks.ts';
import { openSchedules } from '#platform/queue/schedules.ts';
import { createWorker, type Worker } from '#platform/queue/worker.ts';
import { sendHeartbeats, startWorkers } from '#platform/queue/workers.ts';

export type QueueOptions = Reports & {
  readonly database: Database;
  readonly clock: Clock;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
};

const grace_ms = 15_000;
const drained_max = 100_000;

/** Opens the queue (docs/decisions/0029-queue.md). It does nothing by itself until `startWorkers`. */
export function openQueue(options: QueueOptions): Queue {
  const { log, tasks, database, clock } = options;
  const stopping = new AbortController();
  const announcements = openAnnouncements(database);
  const announce = (name: string) => announcements.announce(name);
  const enqueuer = createEnqueuer({ ...options, announce });
  const workersByPlatform = new Map<Platform, readonly Worker[]>();
  const endings: (() => void)[] = [];
  let finishRuns: () => Promise<void> = async () => undefined;
  /** Creates the workers of all tasks once for each platform, which the tasks receive. */
  const openWorkers = (platform: Platform): readonly Worker[] => {
    const opened = workersByPlatform.get(platform);
    if (opened) return opened;
    const workers = tasks.map((task) =>
      createWorker(task, {
        database,
        clock,
        stopping: stopping.signal,
        run: (claimed, signal) => runTasks(options, platform, task, claimed, signal),
      }),
    );
    workersByPlatform.set(platform, workers);
    endings.push(sendHeartbeats(database, workers));
    return workers;
  };

  return {
    ...enqueuer,
    readStates: createQueueReader({ database, tasks }),
    retryFailed: async (tx, failed) => {
      const names = tasks.map(({ name }) => name);
      const queued = await queueFailedTasks(tx, names, failed, clock.now());
      for (const name of new Set(queued)) tx.afterCommit(() => announce(name));
      return queued.length;
    },
    startWorkers: async (platform) => {
      const schedules = openSchedules({ ...enqueuer, database, tasks });
      await schedules.store();
      const workers = openWorkers(platform);
      const waking = { database, announcements, schedules, stopping: stopping.signal, log };
      finishRuns = await startWorkers(workers, waking);
    },
    drain: (platform) => drainWorkers(openWorkers(platform)),
    close: async () => {
      stopping.abort();
      await Promise.race([finishRuns(), pause(grace_ms, undefined, { ref: false })]);
      for (const end of endings) end();
      const workers = [...workersByPlatform.values()].flat();
      await Promise.all(workers.map((worker) => worker.release().catch(() => undefined)));
      await announcements.close();
    },
  };
}

/** Runs everything that waits, and what the runs queue. @returns the number of tasks. */
async function drainWorkers(workers: readonly Worker[]): Promise<number> {
  let total = 0;
  for (let count = 1; count > 0; total += count) {
    if (total > drained_max) throw new Error('the queue does not become empty');
    count = 0;
    for (const worker of workers) count += await worker.work({ early: true });
  }
  return total;
}
