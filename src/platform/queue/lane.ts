import type { Database } from '#platform/database/database.ts';
import type { Task } from '#platform/platform.ts';
import {
  claimJobs,
  markFailedJobs,
  releaseJobs,
  removeFinishedJobs,
  type ClaimedJob,
} from '#platform/queue/queued-jobs.ts';
import type { RunOutcome } from '#platform/queue/run-job.ts';

/** The waiting jobs of one task, as one process works them off. */
export type Lane = {
  readonly task: Task;
  /** Claims some jobs, runs them and records their outcome. @returns how many were claimed, which is 0 if none waits. */
  work(options?: WorkOptions): Promise<number>;
  /** The jobs that this process has claimed and not yet settled. */
  listHeld(): readonly ClaimedJob[];
  /** Aborts the runs of jobs that another worker may have by now, because their heartbeat was missing. */
  drop(ids: readonly string[]): void;
  /** Returns the held jobs to the queue. */
  release(): Promise<void>;
};

export type WorkOptions = {
  /** Also runs tasks whose time has not come. */
  readonly early?: boolean;
  /** Called after a claim that found jobs, before they run. */
  readonly onClaim?: () => void;
};

type LaneOptions = {
  readonly database: Database;
  readonly stopping: AbortSignal;
  /** Runs the task once for jobs with the same key. */
  readonly run: (jobs: Bundle, signal: AbortSignal) => Promise<RunOutcome>;
};

/** Jobs that one run does. */
type Bundle = readonly [ClaimedJob, ...ClaimedJob[]];

/** `unknown`: the outcome could not be recorded. The job's heartbeat ends, so that it runs again later, and not at once without end. */
type Outcome = RunOutcome | 'unknown';

/** For a job that was dropped before its run began. */
const dropped = AbortSignal.abort();

/**
 * A claim takes as many jobs as will probably run within this time. So tasks of a fraction of a millisecond share a claim, and longer ones
 * are claimed one at a time, because a task of another organisation that arrives meanwhile waits for the whole batch. Five milliseconds are
 * some five times as long as a claim takes.
 */
const batch_ms = 5;
const batch_jobs_max = 100;

/** Opens the lane of a task. */
export function openLane(task: Task, { database, stopping, run }: LaneOptions): Lane {
  const { name } = task;
  const held = new Map<ClaimedJob, AbortController>();
  let last_group: string | undefined;
  let run_ms: number | undefined;

  const claim = async (early: boolean) => {
    const limit = run_ms === undefined ? 1 : Math.floor(batch_ms / run_ms);
    const claimed = await claimJobs(database, {
      name,
      limit: Math.min(batch_jobs_max, Math.max(1, limit)),
      last_group,
      early,
    });
    last_group = claimed.last_group;
    for (const job of claimed.jobs) held.set(job, new AbortController());
    return claimed.jobs;
  };

  const runBundle = async (bundle: Bundle): Promise<Outcome> => {
    const started = performance.now();
    const signal = AbortSignal.any([held.get(bundle[0])?.signal ?? dropped, stopping]);
    const outcome = await run(bundle, signal).catch((): Outcome => 'unknown');
    const took_ms = performance.now() - started;
    run_ms = Math.max(took_ms, run_ms === undefined ? 0 : 0.8 * run_ms + 0.2 * took_ms, 0.01);
    return outcome;
  };

  /** Writes the outcome of jobs that are still held. If that fails, their heartbeat ends, and another worker runs them. */
  const settle = async (jobs: readonly ClaimedJob[], write: typeof releaseJobs) => {
    const ours = jobs.filter((job) => held.has(job));
    try {
      if (ours.length > 0) await write(database, name, ours);
    } finally {
      for (const job of ours) held.delete(job);
    }
  };

  return {
    task,
    work: async ({ early = false, onClaim } = {}) => {
      const claimed = await claim(early);
      if (claimed.length > 0) onClaim?.();
      const outcomes = new Map<ClaimedJob, Outcome>();
      const deadline = performance.now() + batch_ms;
      for (const [place, bundle] of bundleJobs(claimed).entries()) {
        const isTimeUp = stopping.aborted || (place > 0 && performance.now() > deadline);
        const outcome = isTimeUp ? 'returned' : await runBundle(bundle);
        for (const job of bundle) outcomes.set(job, outcome);
      }
      const selectJobs = (outcome: Outcome) => claimed.filter((job) => outcomes.get(job) === outcome);
      await settle(selectJobs('done'), removeFinishedJobs);
      await settle(selectJobs('failed'), markFailedJobs);
      await settle(selectJobs('returned'), releaseJobs);
      await settle(selectJobs('unknown'), async () => undefined);
      return claimed.length;
    },
    listHeld: () => [...held.keys()],
    drop: (ids) => {
      for (const [job, lost] of held) {
        if (!ids.includes(job.id)) continue;
        held.delete(job);
        lost.abort(new Error('another worker may have this task, because its heartbeat was missing'));
      }
    },
    release: () => settle([...held.keys()], releaseJobs),
  };
}

/** Puts jobs with the same key together, in the order of their first job. */
function bundleJobs(jobs: readonly ClaimedJob[]): readonly Bundle[] {
  const bundles = new Map<string, [ClaimedJob, ...ClaimedJob[]]>();
  for (const job of jobs) {
    const key = job.key === null ? `id ${job.id}` : `key ${job.key}`;
    const bundle = bundles.get(key);
    if (bundle) bundle.push(job);
    else bundles.set(key, [job]);
  }
  return [...bundles.values()];
}
