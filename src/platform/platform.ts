import type { TObject } from 'typebox';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Mailer } from '#platform/mail.ts';
import type { FetchOutbound } from '#platform/outbound/outbound.ts';
import type { PersonalData } from '#platform/personal-data.ts';
import type { SigningKeys } from '#platform/security/keys.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';

/** What operations and tasks share. Created once by the composition root; tests replace parts of it. */
export type Services = {
  readonly config: Config;
  /** The only clock: the time now. */
  readonly now: Clock['now'];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly keys: SigningKeys;
  readonly mailer: Mailer;
  readonly queue: Queue;
  /** The only client for addresses that a user gave us. */
  readonly fetchOutbound: FetchOutbound;
  readonly personalData: PersonalData;
  /** Values that live as long as this service; see `instance-memory.ts`. */
  readonly memory: Memory;
};

/** {@link Services} and the database: what tasks, operator commands and documents work with. */
export type Platform = Services & { readonly database: Database };

/** Values that live as long as one running service. */
export type Memory = {
  /** The value of a service that `create` creates, called when the value is first needed. */
  get<Value>(create: (platform: Platform) => Value): Value;
  /** Disposes of the values that are `AsyncDisposable`. */
  close(): Promise<void>;
};

/** Background tasks and events, both written in the caller's transaction: they take effect if and only if it commits. */
export type Queue = {
  /** Runs a task soon, or not before `start_after`. The same task with the same data is queued once per transaction. */
  send<Data extends object>(
    tx: Transaction,
    task: Task<Data>,
    data: Data,
    options?: { start_after?: Date },
  ): Promise<void>;
  /** Runs a task that a user waits for: `GET /tasks/{task_id}` shows its progress to that user alone. */
  start<Data extends object>(
    tx: Transaction,
    task: Task<Data>,
    data: Data,
    user_id: string,
  ): Promise<QueuedTask>;
  /** Stores an event and queues the tasks that `src/events.ts` lists for it. */
  emit<Data extends object>(tx: Transaction, event: Event<Data>, data: Data): Promise<void>;
  /** Starts working on the tasks of `src/tasks.ts`, until `close`. */
  startWorkers(platform: Platform): Promise<void>;
  /** Runs all waiting tasks in this process now, including those scheduled for later. For tests and the command line. */
  drain(platform: Platform): Promise<number>;
  /** Stops taking tasks, gives running ones up to 15 s, and hands the rest back. */
  close(): Promise<void>;
};

/** A task as it was queued for a user. */
export type QueuedTask = { readonly task_id: string; readonly status: 'queued' };

/** An event: its name, and the schema of the data that its listeners and webhooks receive. */
export type Event<Data extends object = never> = {
  readonly name: string;
  readonly schema: TObject;
  /** Carries the type of the data only; never set. */
  readonly accepts?: (data: Data) => void;
};

/** What a background task works with. */
export type TaskContext = Platform & {
  /** Aborted when this process stops: a long task throws at the next opportunity, and another worker starts it again. */
  readonly signal: AbortSignal;
  /** Reports progress to the user who waits; cheap to call, written at most once a second. */
  readonly reportProgress: (done: number, total: number) => Promise<void>;
};

/** A background task. Its file states its retry schedule and what it does. */
export type Task<Data extends object = never> = {
  /** `module.verbNoun`: the file is `verb-noun.ts` in `src/modules/module/`. */
  readonly name: string;
  /** Seconds to wait before each retry; when the list ends, the task has failed. An attempt of a worker that was lost does not count. */
  readonly retry_seconds: readonly number[];
  /** A cron expression in UTC, for tasks that run on a schedule. */
  readonly every?: string;
  /** May run twice after a crash, so it must be safe to repeat. It returns the URL of the result, if there is one. */
  readonly run: (context: TaskContext, data: Data) => Promise<{ readonly result_url: string } | void>;
};
