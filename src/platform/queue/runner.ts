import { readAhead, type QueueClock } from '#platform/queue/queue-clock.ts';
import type { Database } from '#platform/database/database.ts';
import type { Task } from '#platform/platform.ts';
import {
  claimTasks,
  finishTasks,
  recordFailedAttempts,
  releaseTasks,
  type FailedAttempt,
  type RunningTask,
} from '#platform/queue/stored-tasks.ts';

/** Runs the queued tasks of one name in this process. */
export type Runner = {
  readonly task: Task;
  /**
   * Claims some tasks, runs them and records their outcome.
   *
   * @returns for how many that was done, without those that it had no time for and returned. It is 0 if none waits or the process stops.
   */
  work(options?: WorkOptions): Promise<number>;
  /** The tasks that this runner has claimed and whose outcome it has not recorded, and when it claimed them (`performance.now()`). */
  listRunning(): ReadonlyMap<RunningTask, number>;
  /** Aborts the runs of tasks that another worker may have by now, because their heartbeat was missing. */
  drop(lost: readonly RunningTask[]): void;
  /** Returns its tasks to the queue. */
  release(): Promise<void>;
};

export type WorkOptions = {
  /** Also runs tasks whose time has not come. */
  readonly early?: boolean;
  /** Called after a claim that found tasks, before they run. */
  readonly onClaim?: () => void;
};

type RunnerOptions = {
  readonly database: Database;
  readonly clock: QueueClock;
  readonly stopping: AbortSignal;
  /** Runs the task once for tasks with the same key. */
  readonly run: (tasks: TasksOfRun, signal: AbortSignal) => Promise<RunOutcome>;
};

/**
 * What became of a run. `returned`: it was stopped, and its tasks go back to the queue. `postponed`: it waits for something outside the task,
 * and is tried again until that is there.
 */
export type RunOutcome =
  | { readonly kind: 'succeeded'; readonly result_url: string | null }
  | { readonly kind: 'failed' | 'postponed'; readonly error: string }
  | { readonly kind: 'returned' };

/** The tasks that one run does. */
export type TasksOfRun = readonly [RunningTask, ...RunningTask[]];

/**
 * A claim takes as many tasks as will probably run within this time. So tasks of a fraction of a millisecond share a claim, and longer ones
 * are claimed one at a time, because a task of another organisation that arrives meanwhile waits for all that were claimed. Five milliseconds
 * are some five times as long as a claim takes.
 */
const share_ms = 5;
const claimed_max = 1_000;

/** For a task that was dropped before its run began. */
const dropped = AbortSignal.abort();

/** Creates the runner of a task. */
export function createRunner(task: Task, { database, clock, stopping, run }: RunnerOptions): Runner {
  const running = new Map<RunningTask, number>();
  const aborts = new WeakMap<RunningTask, AbortController>();
  let after_group = '';
  let run_ms: number | undefined;

  const claim = async (early: boolean) => {
    const claimed = await claimTasks(database, {
      name: task.name,
      limit: decideLimit(task, run_ms),
      after_group,
      early,
      ahead_ms: readAhead(clock),
      now: clock.now(),
    });
    for (const each of claimed) {
      running.set(each, performance.now());
      aborts.set(each, new AbortController());
    }
    after_group = claimed[0]?.group_id ?? after_group;
    return claimed;
  };

  const runOnce = async (tasks: TasksOfRun): Promise<RunOutcome> => {
    const [{ group_id }] = tasks;
    after_group = group_id;
    const started = performance.now();
    const signal = running.has(tasks[0]) ? aborts.get(tasks[0])!.signal : dropped;
    const outcome = await run(tasks, AbortSignal.any([signal, stopping]));
    const took_ms = performance.now() - started;
    run_ms = Math.max(took_ms, run_ms === undefined ? 0 : 0.8 * run_ms + 0.2 * took_ms, 0.01);
    return outcome;
  };

  /** Records the outcome of tasks that are still ours. If that fails, their heartbeat ends, so that they run again later, and not at once. */
  const settle = async (tasks: readonly RunningTask[], write: (ours: RunningTask[]) => Promise<void>) => {
    const ours = tasks.filter((each) => running.has(each));
    try {
      if (ours.length > 0) await write(ours);
    } finally {
      for (const each of ours) running.delete(each);
    }
  };
  const release = (tasks: readonly RunningTask[]) =>
    settle(tasks, (ours) => releaseTasks(database, ours, clock.now()));

  return {
    task,
    work: async ({ early = false, onClaim } = {}) => {
      const claimed = await claim(early);
      if (claimed.length > 0) onClaim?.();
      const outcomes: { readonly tasks: TasksOfRun; readonly outcome: RunOutcome }[] = [];
      const deadline = performance.now() + share_ms;
      for (const [place, tasks] of mergeTasks(task, claimed).entries()) {
        const isTimeUp = stopping.aborted || (place > 0 && performance.now() > deadline);
        outcomes.push({ tasks, outcome: isTimeUp ? { kind: 'returned' } : await runOnce(tasks) });
      }
      const returned = outcomes
        .filter(({ outcome }) => outcome.kind === 'returned')
        .flatMap(({ tasks }) => tasks);
      await recordOutcomes(task, outcomes, { database, clock, settle });
      await release(returned);
      return claimed.length - returned.length;
    },
    listRunning: () => running,
    drop: (lost) => {
      for (const each of lost)
        if (running.delete(each))
          aborts
            .get(each)!
            .abort(new Error('another worker may have this task, because its heartbeat was missing'));
    },
    release: () => release([...running.keys()]),
  };
}

function decideLimit({ batch_max, claimed_alone }: Task, run_ms: number | undefined): number {
  if (batch_max !== undefined) return batch_max;
  if (run_ms === undefined || claimed_alone) return 1;
  return Math.min(claimed_max, Math.max(1, Math.floor(share_ms / run_ms)));
}

/** Puts tasks together that one run does: those with the same key, or all first attempts of a task that is run in batches. */
function mergeTasks({ batch_max }: Task, tasks: readonly RunningTask[]): readonly TasksOfRun[] {
  const getKey = ({ id, merge_key, attempt }: RunningTask) => {
    if (batch_max !== undefined && attempt === 1) return 'batch';
    return merge_key === null ? `id ${id}` : `key ${merge_key}`;
  };
  // A group of `groupBy` has at least one item.
  return [...Map.groupBy(tasks, getKey).values()] as unknown as readonly TasksOfRun[];
}

type Recording = Pick<RunnerOptions, 'database' | 'clock'> & {
  readonly settle: (
    tasks: readonly RunningTask[],
    write: (ours: RunningTask[]) => Promise<void>,
  ) => Promise<void>;
};

/** Records what became of runs, those without a result all at once. */
async function recordOutcomes(
  task: Task,
  outcomes: readonly { readonly tasks: TasksOfRun; readonly outcome: RunOutcome }[],
  { database, clock, settle }: Recording,
): Promise<void> {
  const succeeded = Map.groupBy(
    outcomes.flatMap(({ tasks, outcome }) =>
      outcome.kind === 'succeeded' ? tasks.map((each) => ({ each, result_url: outcome.result_url })) : [],
    ),
    ({ result_url }) => result_url,
  );
  for (const [result_url, tasks] of succeeded)
    await settle(
      tasks.map(({ each }) => each),
      (ours) => finishTasks(database, ours, result_url, clock.now()),
    );
  for (const { tasks, outcome } of outcomes) {
    if (outcome.kind !== 'failed' && outcome.kind !== 'postponed') continue;
    const now = clock.now();
    await settle(tasks, (ours) => {
      const failed = ours.map((each) => planRetry(task, each, outcome.kind === 'postponed', now));
      return recordFailedAttempts(database, failed, outcome.error, now);
    });
  }
}

/** Plans the next attempt of a task. One that was postponed waits for the last of the pauses again and again. */
function planRetry(
  { retry_seconds }: Task,
  each: RunningTask,
  isPostponed: boolean,
  now: Date,
): FailedAttempt {
  const attempt = isPostponed ? Math.min(each.attempt, retry_seconds.length) : each.attempt;
  const wait_s = retry_seconds[attempt - 1];
  if (wait_s === undefined) return { task: each, retry_at: null, attempt: each.attempt };
  const next = isPostponed ? Math.min(attempt + 1, retry_seconds.length) : attempt + 1;
  return { task: each, retry_at: new Date(now.getTime() + wait_s * 1_000), attempt: next };
}
