import { createSequentialRunner } from '#lib/concurrency/sequential-runner.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/database/database.ts';
import type { Platform, Queue, Task } from '#platform/platform.ts';
import { openAnnouncements } from '#platform/queue/announcements.ts';
import { createEnqueuer } from '#platform/queue/enqueue.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { finishDueTasks } from '#platform/queue/finish-due-tasks.ts';
import { queueFailedTasks } from '#platform/queue/failed-tasks.ts';
import { readAhead, type QueueClock } from '#platform/queue/queue-clock.ts';
import { createQueueReader } from '#platform/queue/queue-state.ts';
import { runTasks, type Reports } from '#platform/queue/run-tasks.ts';
import { openSchedules } from '#platform/queue/schedules.ts';
import { createRunner, type Runner } from '#platform/queue/runner.ts';
import { sendHeartbeats, startRunners } from '#platform/queue/runners.ts';
import { findNextDueTime } from '#platform/queue/stored-tasks.ts';

export type QueueOptions = Reports & {
  readonly database: Database;
  readonly clock: QueueClock;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
};

const grace_ms = 15_000;
const drained_max = 100_000;

/**
 * Opens the queue of the tables `tasks` and `task_schedules`. It does nothing by itself until `startWorkers`.
 * docs/decisions/queue.md has the reasons.
 *
 * @example await database.transaction((tx) => queue.send(tx, sendVerification, { user_id }))
 */
export function openQueue(options: QueueOptions): Queue {
  const { log, tasks, database, clock } = options;
  const stopping = new AbortController();
  const announcements = openAnnouncements(database);
  const announce = (name: string) => announcements.announce(name);
  const enqueuer = createEnqueuer({ ...options, announce });
  const schedules = openSchedules({ ...enqueuer, database, clock, tasks });
  const runnersByPlatform = new Map<Platform, readonly Runner[]>();
  const endings: (() => void)[] = [];
  let finishRuns: () => Promise<void> = async () => undefined;
  /** Each drain waits for the one before: what that one has claimed is not waiting, and not done. */
  const drainInSequence = createSequentialRunner();
  /** Creates the runners of all tasks once for each platform, which the tasks receive. */
  const openRunners = (platform: Platform): readonly Runner[] => {
    const opened = runnersByPlatform.get(platform);
    if (opened) return opened;
    const runners = tasks.map((task) =>
      createRunner(task, {
        database,
        clock,
        stopping: stopping.signal,
        run: (claimed, signal) => runTasks(options, platform, task, claimed, signal),
      }),
    );
    runnersByPlatform.set(platform, runners);
    endings.push(sendHeartbeats(database, runners));
    return runners;
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
      await schedules.store();
      const runners = openRunners(platform);
      const waking = { database, announcements, schedules, clock, stopping: stopping.signal, log };
      finishRuns = await startRunners(runners, waking);
    },
    finishDue: async (except, signal) => {
      await schedules.queueDueTasks();
      const others = [...runnersByPlatform.values()].flat().filter(({ task }) => task.name !== except);
      await finishDueTasks(database, clock, others, signal);
    },
    findNextDue: () => findNextDueTime(database, readAhead(clock)),
    drain: (platform) => drainInSequence(() => drainRunners(openRunners(platform))),
    close: async () => {
      stopping.abort();
      await Promise.race([finishRuns(), pause(grace_ms, undefined, { ref: false })]);
      for (const end of endings) end();
      const runners = [...runnersByPlatform.values()].flat();
      await Promise.all(runners.map((runner) => runner.release().catch(() => undefined)));
      await announcements.close();
    },
  };
}

/** Runs everything that waits, and what the runs queue. @returns the number of tasks. */
async function drainRunners(runners: readonly Runner[]): Promise<number> {
  let total = 0;
  for (let count = 1; count > 0; total += count) {
    if (total > drained_max) throw new Error('the queue does not become empty');
    count = 0;
    for (const runner of runners) count += await runner.work({ early: true });
  }
  return total;
}
