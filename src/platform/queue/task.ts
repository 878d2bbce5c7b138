import type { Platform } from '#platform/platform.ts';

/** What a background task works with. */
export type TaskContext = Platform & {
  readonly now: () => Date;
  /** Aborted when this process stops: a long task throws at the next chance, and another worker starts it again. */
  readonly signal: AbortSignal;
  /** Tells whoever waits how far the work is; cheap to call, written at most once a second. */
  readonly progress: (done: number, total: number) => Promise<void>;
};

export type Task<Data extends object = never> = {
  /** `module.verbNoun`: the file is `src/modules/module/verb-noun.ts`. */
  readonly name: string;
  /** Seconds to wait before each new try after a failure; when the list ends, the task has failed. A lost worker's try does not count. */
  readonly retry_seconds: readonly number[];
  /** A cron expression in UTC, for tasks that run by the clock. */
  readonly every?: string;
  /** May run twice after a crash, so it must be safe to repeat. What it returns is where the result can be fetched. */
  readonly run: (context: TaskContext, data: Data) => Promise<{ readonly result_url: string } | void>;
};

/** Defines a background task; it works once it stands in the table `src/tasks.ts`. */
export function task<Data extends object>(definition: Task<Data>): Task<Data> {
  return definition;
}
