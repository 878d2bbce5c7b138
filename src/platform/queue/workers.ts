import type { PgBoss } from 'pg-boss';
import type { Database } from '#platform/database/database.ts';
import type { Announcements } from '#platform/queue/announcements.ts';
import type { Lane } from '#platform/queue/lane.ts';
import { listDueTasks, touchTasks } from '#platform/queue/queued-tasks.ts';
import type { Logger } from '#platform/telemetry/log.ts';

type WorkersOptions = {
  readonly database: Database;
  readonly announcements: Announcements;
  readonly stopping: AbortSignal;
  readonly log: Logger;
};

/** Retries, scheduled tasks, and tasks whose announcement was lost start at most this late. */
const poll_ms = 1_000;

/**
 * Works off the lanes until `stopping` is aborted: a lane is woken when its task is announced or found due, and then works until nothing
 * waits, with as many runs at a time as its task allows.
 *
 * @returns a function that resolves when all runs have ended.
 */
export async function startLanes(
  lanes: readonly Lane[],
  { database, announcements, stopping, log }: WorkersOptions,
): Promise<() => Promise<void>> {
  const runs = new Set<Promise<void>>();
  // That the database is unavailable is in the log once.
  const logFault = (fault: object, message: string) => {
    if (database.getLastState() === 'up') log.warn(fault, message);
  };
  const wakers = new Map(
    lanes.map((lane) => [lane.task.name, createWaker(lane, { runs, stopping, logFault })] as const),
  );
  const names = [...wakers.keys()];
  const wake = (name?: string) => {
    if (name !== undefined) return wakers.get(name)?.();
    for (const waken of wakers.values()) waken();
  };
  await announcements.listen(wake);
  let polling = false;
  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    void listDueTasks(database, names)
      .then((due) => due.forEach(wake))
      .catch((error: unknown) => logFault({ err: error }, 'the queue cannot be read'))
      .finally(() => (polling = false));
  }, poll_ms);
  stopping.addEventListener('abort', () => clearInterval(timer));
  wake();
  return async () => {
    while (runs.size > 0) await Promise.all(runs);
  };
}

type WakerOptions = Pick<WorkersOptions, 'stopping'> & {
  readonly runs: Set<Promise<void>>;
  readonly logFault: (fault: object, message: string) => void;
};

/** Creates a function that lets a lane work until nothing waits, unless as many runs as its task allows are already in progress. */
function createWaker(lane: Lane, { runs, stopping, logFault }: WakerOptions): () => void {
  const { parallel = 1, name } = lane.task;
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
        worked = await lane.work({ onClaim: wake });
      } while ((worked > 0 || isWokenAgain) && !stopping.aborted);
    } catch (error) {
      logFault({ err: error, task: name }, 'the queue cannot be worked off');
    } finally {
      active--;
    }
  };
  return wake;
}

const heartbeat_ms = 10_000;

/** The seconds after which a queued task without a heartbeat is given to another worker. */
export const heartbeat_seconds = heartbeat_ms / 1_000;

/** Sends heartbeats for the queued tasks that the lanes hold, and lets them drop those that another worker may have. @returns a function that ends it. */
export function sendHeartbeats(boss: PgBoss, lanes: readonly Lane[]): () => void {
  const touchHeld = async (lane: Lane) => {
    const held = lane.listHeld();
    if (held.length === 0) return;
    const alive = await touchTasks(boss.getDb(), lane.task.name, held);
    lane.drop(held.map(({ id }) => id).filter((id) => !alive.has(id)));
  };
  const timer = setInterval(() => {
    // A heartbeat that could not be sent says nothing about the claim.
    for (const lane of lanes) void touchHeld(lane).catch(() => undefined);
  }, heartbeat_ms / 3);
  timer.unref();
  return () => clearInterval(timer);
}
