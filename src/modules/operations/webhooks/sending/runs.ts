import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';

/** A run in progress: it sends the deliveries of one subscription. */
export type Run = {
  /** Lets the run look for due deliveries again. */
  wake(): void;
  /** Returns whether the run was woken since the last call. */
  takeWake(): boolean;
  /** Resolves when the run is woken, at once if it was since the last `takeWake`. */
  waitForWake(): Promise<void>;
  /** Lets the run end only after the returned function is called, which also wakes it. */
  keepRunning(): () => void;
  isHeld(): boolean;
  /** Sends nothing more of what was claimed before. */
  recall(): void;
};

/** @param recall Stops the sending of claimed deliveries, so that they are claimed again as the subscription is then. */
export function createRun(recall: () => void): Run {
  let woken = Promise.withResolvers<void>();
  let isWoken = false;
  let holds = 0;
  const wake = () => {
    isWoken = true;
    woken.resolve();
  };
  return {
    wake,
    takeWake: () => {
      const wasWoken = isWoken;
      if (wasWoken) woken = Promise.withResolvers<void>();
      isWoken = false;
      return wasWoken;
    },
    waitForWake: () => woken.promise,
    keepRunning: () => {
      holds++;
      return () => {
        holds--;
        wake();
      };
    },
    isHeld: () => holds > 0,
    recall,
  };
}

/** The runs of this process by subscription. */
export const getRuns = instanceMemory(() => new Map<string, Run>());

/** Lets later tasks of a subscription start a run of their own, unless another one has taken the place of this run. */
export function endRun(context: { readonly memory: Memory }, subscription_id: string, run: Run): void {
  const runs = getRuns(context);
  if (runs.get(subscription_id) === run) runs.delete(subscription_id);
}

/** Stops what a run of this process would still send as a subscription was before a change. Other processes stop within a second. */
export function recallDeliveries(context: { readonly memory: Memory }, subscription_id: string): void {
  getRuns(context).get(subscription_id)?.recall();
}

/**
 * Runs a transaction that writes deliveries. Those of a subscription that has a run in this process are left to that run, which looks for them after
 * the end of the transaction and cannot end before. The task of the run also covers them if the process is killed, because it then runs again.
 *
 * @param write Gets a function that leaves a subscription to its run. It returns false if there is none, and a task must be queued.
 */
export async function wakeRunsAfter<Result>(
  context: { readonly memory: Memory },
  write: (leaveToRun: (subscription_id: string) => boolean) => Promise<Result>,
): Promise<Result> {
  const runs = getRuns(context);
  const releases = new Map<Run, () => void>();
  try {
    return await write((subscription_id) => {
      const run = runs.get(subscription_id);
      if (run && !releases.has(run)) releases.set(run, run.keepRunning());
      return run !== undefined;
    });
  } finally {
    for (const release of releases.values()) release();
  }
}
