import type { Database } from '#platform/database/database.ts';
import type { Announcements } from '#platform/queue/announcements.ts';
import { readAhead, type QueueClock } from '#platform/queue/queue-clock.ts';
import type { Schedules } from '#platform/queue/schedules.ts';
import {
  heartbeat_seconds,
  listDueNames,
  sendHeartbeat,
  takeBackLostTasks,
  type RunningTask,
} from '#platform/queue/stored-tasks.ts';
import type { Runner } from '#platform/queue/runner.ts';
import type { Logger } from '#platform/telemetry/log.ts';

type RunnersOptions = {
  readonly database: Database;
  readonly announcements: Announcements;
  readonly schedules: Schedules;
  readonly clock: QueueClock;
  readonly stopping: AbortSignal;
  readonly log: Logger;
};

/** Retries, scheduled tasks, tasks of lost workers, and tasks whose announcement was lost start at most this late. */
const poll_ms = 1_000;

/**
 * Lets the runners work until `stopping` is aborted: one is woken when its task is announced or found due, and then works until nothing
 * waits, with as many runs at a time as its task allows.
 *
 * @returns a function that resolves when all runs have ended.
 */
export async function startRunners(
  runners: readonly Runner[],
  { database, announcements, schedules, clock, stopping, log }: RunnersOptions,
): Promise<() => Promise<void>> {
  const runs = new Set<Promise<void>>();
  // That the database is unavailable is in the log once.
  const logFault = (fault: object, message: string) => {
    if (database.getLastState() === 'up') log.warn(fault, message);
  };
  const wakers = new Map(
    runners.map(
      (runner) => [runner.task.name, createWaker(runner, { database, runs, stopping, logFault })] as const,
    ),
  );
  const names = [...wakers.keys()];
  const wake = (name?: string) => {
    if (name !== undefined) return wakers.get(name)?.();
    for (const waken of wakers.values()) waken();
  };
  await announcements.listen(wake);
  const checkQueue = async () => {
    await takeBackLostTasks(database);
    await schedules.queueDueTasks();
    for (const name of await listDueNames(database, names, readAhead(clock))) wake(name);
  };
  let polling = false;
  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    void checkQueue()
      .catch((error: unknown) => logFault({ err: error }, 'the queue cannot be read'))
      .finally(() => (polling = false));
  }, poll_ms);
  stopping.addEventListener('abort', () => clearInterval(timer));
  wake();
  return async () => {
    while (runs.size > 0) await Promise.all(runs);
  };
}

type WakerOptions = Pick<RunnersOptions, 'database' | 'stopping'> & {
  readonly runs: Set<Promise<void>>;
  readonly logFault: (fault: object, message: string) => void;
};

/** Creates a function that lets a runner work until nothing waits, unless as many runs as its task allows are already in progress. */
function createWaker(runner: Runner, { database, runs, stopping, logFault }: WakerOptions): () => void {
  const { parallel = 1, name } = runner.task;
  let active = 0;
  let isWokenAgain = false;
  const wake = () => {
    if (stopping.aborted) return;
    isWokenAgain = true;
    if (active === parallel) return;
    active++;
    const run = work().finally(() => runs.delete(run));
    runs.add(run);
  };
  const work = async () => {
    let worked = 0;
    try {
      do {
        // Reset before the claim, which sees everything that was announced until now.
        isWokenAgain = false;
        // What was found may not be all, and another run can claim it while this one is busy.
        worked = await database.runInBackground(() => runner.work({ onClaim: wake }));
      } while ((worked > 0 || isWokenAgain) && !stopping.aborted);
    } catch (error) {
      logFault({ err: error, task: name }, 'the queue cannot be worked off');
    } finally {
      active--;
    }
  };
  return wake;
}

/** A run that takes longer is given up: its heartbeat ends, and another worker gets its tasks. */
const run_ms_max = 3_600_000;

/** Sends heartbeats for the tasks of the runners, and lets them drop those that another worker may have. @returns a function that ends it. */
export function sendHeartbeats(database: Database, runners: readonly Runner[]): () => void {
  const sendAll = async () => {
    const since = performance.now() - run_ms_max;
    const running = runners.flatMap((runner) => [...runner.listRunning()]);
    const { alive = [], overlong = [] } = Object.groupBy(running, ([, claimed_at]) =>
      claimed_at < since ? 'overlong' : 'alive',
    );
    const dropTasks = (tasks: readonly RunningTask[]) => runners.forEach((runner) => runner.drop(tasks));
    dropTasks(overlong.map(([task]) => task));
    if (alive.length === 0) return;
    dropTasks(
      await sendHeartbeat(
        database,
        alive.map(([task]) => task),
      ),
    );
  };
  // A heartbeat that could not be sent says nothing about the claim.
  const timer = setInterval(() => void sendAll().catch(() => undefined), (heartbeat_seconds * 1_000) / 3);
  timer.unref();
  return () => clearInterval(timer);
}
