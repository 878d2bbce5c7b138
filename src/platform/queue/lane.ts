import type { Database } from '#platform/database/database.ts';
import type { Task } from '#platform/platform.ts';
import {
  claimTasks,
  markFailedTasks,
  releaseTasks,
  removeFinishedTasks,
  type ClaimedTask,
} from '#platform/queue/queued-tasks.ts';
import type { RunOutcome } from '#platform/queue/run-tasks.ts';

/** The queued tasks of one kind, as one process works them off. */
export type Lane = {
  readonly task: Task;
  /**
   * Claims some queued tasks, runs them and records their outcome.
   *
   * @returns for how many that was done, without those that it had no time for and returned. It is 0 if none waits or the process stops.
   */
  work(options?: WorkOptions): Promise<number>;
  /** The queued tasks that this process has claimed and not yet settled. */
  listHeld(): readonly ClaimedTask[];
  /** Aborts the runs of queued tasks that another worker may have by now, because their heartbeat was missing. */
  drop(ids: readonly string[]): void;
  /** Returns the held queued tasks to the queue. */
  release(): Promise<void>;
};

export type WorkOptions = {
  /** Also runs tasks whose time has not come. */
  readonly early?: boolean;
  /** Called after a claim that found queued tasks, before they run. */
  readonly onClaim?: () => void;
};

type LaneOptions = {
  readonly database: Database;
  readonly stopping: AbortSignal;
  /** Runs the task once for queued tasks with the same key. */
  readonly run: (queuedTasks: Bundle, signal: AbortSignal) => Promise<RunOutcome>;
};

/** Queued tasks that one run does. */
type Bundle = readonly [ClaimedTask, ...ClaimedTask[]];

/** `unknown`: the outcome could not be recorded. Its heartbeat ends, so that it runs again later, and not at once without end. */
type Outcome = RunOutcome | 'unknown';

/** For a queued task that was dropped before its run began. */
const dropped = AbortSignal.abort();

/**
 * A claim takes as many queued tasks as will probably run within this time. So tasks of a fraction of a millisecond share a claim, and longer ones
 * are claimed one at a time, because a task of another organisation that arrives meanwhile waits for the whole batch. Five milliseconds are
 * some five times as long as a claim takes.
 */
const batch_ms = 5;
const batch_jobs_max = 1_000;

/** Opens the lane of a task. */
export function openLane(task: Task, { database, stopping, run }: LaneOptions): Lane {
  const { name } = task;
  const held = new Map<ClaimedTask, AbortController>();
  let last_group: string | undefined;
  let run_ms: number | undefined;

  const claim = async (early: boolean) => {
    const limit =
      task.batch_max ?? (run_ms === undefined || task.claimed_alone ? 1 : Math.floor(batch_ms / run_ms));
    const claimed = await claimTasks(database, {
      name,
      limit: Math.min(batch_jobs_max, Math.max(1, limit)),
      last_group,
      early,
    });
    last_group = claimed.last_group;
    for (const queuedTask of claimed.queuedTasks) held.set(queuedTask, new AbortController());
    return claimed.queuedTasks;
  };

  const runBundle = async (bundle: Bundle): Promise<Outcome> => {
    const started = performance.now();
    const signal = AbortSignal.any([held.get(bundle[0])?.signal ?? dropped, stopping]);
    const outcome = await run(bundle, signal).catch((): Outcome => 'unknown');
    const took_ms = performance.now() - started;
    run_ms = Math.max(took_ms, run_ms === undefined ? 0 : 0.8 * run_ms + 0.2 * took_ms, 0.01);
    return outcome;
  };

  /** Writes the outcome of queued tasks that are still held. If that fails, their heartbeat ends, and another worker runs them. */
  const settle = async (queuedTasks: readonly ClaimedTask[], write: typeof releaseTasks) => {
    const ours = queuedTasks.filter((queuedTask) => held.has(queuedTask));
    try {
      if (ours.length > 0) await write(database, name, ours);
    } finally {
      for (const queuedTask of ours) held.delete(queuedTask);
    }
  };

  return {
    task,
    work: async ({ early = false, onClaim } = {}) => {
      const claimed = await claim(early);
      if (claimed.length > 0) onClaim?.();
      const outcomes = new Map<ClaimedTask, Outcome>();
      const deadline = performance.now() + batch_ms;
      for (const [place, bundle] of bundleTasks(task, claimed).entries()) {
        const isTimeUp = stopping.aborted || (place > 0 && performance.now() > deadline);
        const outcome = isTimeUp ? 'returned' : await runBundle(bundle);
        for (const queuedTask of bundle) outcomes.set(queuedTask, outcome);
      }
      const selectTasks = (outcome: Outcome) =>
        claimed.filter((queuedTask) => outcomes.get(queuedTask) === outcome);
      await settle(selectTasks('done'), removeFinishedTasks);
      await settle(selectTasks('failed'), markFailedTasks);
      const returned = selectTasks('returned');
      await settle(returned, releaseTasks);
      await settle(selectTasks('unknown'), async () => undefined);
      return claimed.length - returned.length;
    },
    listHeld: () => [...held.keys()],
    drop: (ids) => {
      for (const [queuedTask, lost] of held) {
        if (!ids.includes(queuedTask.id)) continue;
        held.delete(queuedTask);
        lost.abort(new Error('another worker may have this task, because its heartbeat was missing'));
      }
    },
    release: () => settle([...held.keys()], releaseTasks),
  };
}

/** Puts queued tasks with the same key together, or all first attempts of a task that is run in batches, in the order of the first of each. */
function bundleTasks({ batch_max }: Task, queuedTasks: readonly ClaimedTask[]): readonly Bundle[] {
  const bundles = new Map<string, [ClaimedTask, ...ClaimedTask[]]>();
  for (const queuedTask of queuedTasks) {
    const key = getBundleKey(queuedTask, batch_max !== undefined);
    const bundle = bundles.get(key);
    if (bundle) bundle.push(queuedTask);
    else bundles.set(key, [queuedTask]);
  }
  return [...bundles.values()];
}

function getBundleKey({ id, key, data }: ClaimedTask, isBatched: boolean): string {
  if (isBatched && data.attempt === 1) return 'batch';
  return key === null ? `id ${id}` : `key ${key}`;
}
