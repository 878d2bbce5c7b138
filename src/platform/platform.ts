import type { TObject } from 'typebox';
import type { ApiRow } from '#lib/api-row.ts';
import type { Tool, ToolAdvice } from '#lib/tool.ts';
import type { Clock, TestClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Mailer } from '#platform/mail.ts';
import type { FindTextRecords } from '#platform/outbound/name-servers.ts';
import type { FetchOutbound } from '#platform/outbound/outbound.ts';
import type { PersonalData } from '#platform/personal-data.ts';
import type { SigningKeys } from '#platform/security/keys.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Logger } from '#platform/telemetry/log.ts';
import type { TaskState } from '#platform/telemetry/metric-sources.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';

/** The services that operations and tasks share. The composition root creates them once; tests replace parts of them. */
export type Services = {
  readonly config: Config;
  /** Returns the current time. This is the only clock. */
  readonly now: Clock['now'];
  /** The same clock where it can be moved: in a sandbox. */
  readonly testClock?: TestClock | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly keys: SigningKeys;
  readonly mailer: Mailer;
  readonly queue: Queue;
  /** Fetches a URL that a user gave to the service. No other client may do so. */
  readonly fetchOutbound: FetchOutbound;
  /** Looks up TXT records of a domain that a user named. */
  readonly findTextRecords: FindTextRecords;
  readonly personalData: PersonalData;
  /** The rows of the API, in the order of TABLE 1. */
  readonly rows: readonly ApiRow[];
  /** The tools of the MCP endpoint, in the order of TABLE 4. */
  readonly tools: readonly Tool[];
  /** What a model reads about refusals of tools: TABLE 10. */
  readonly toolAdvice: ToolAdvice;
  /** Values that live as long as this service; see `instance-memory.ts`. */
  readonly memory: Memory;
};

/** {@link Services} and the database, for tasks, operator commands and documents. */
export type Platform = Services & { readonly database: Database };

/** Values that live as long as one running service. */
export type Memory = {
  /** Returns the value that `create` creates. It is called once, when the value is first needed. */
  get<Value>(create: (platform: Platform) => Value): Value;
  /** Disposes of the values that are `AsyncDisposable`. */
  close(): Promise<void>;
};

/** Background tasks and events, both written in the caller's transaction: they take effect if and only if it commits. */
export type Queue = {
  /** Queues a task for execution soon, or not before `start_after`. The same task with the same data is queued once per transaction. */
  send<Data extends object>(
    tx: Transaction,
    task: Task<Data>,
    data: Data,
    options?: SendOptions,
  ): Promise<void>;
  /** Queues a task that a user waits for: `GET /tasks/{task_id}` shows its progress only to that user. */
  start<Data extends object>(
    tx: Transaction,
    task: Task<Data>,
    data: Data,
    user_id: string,
  ): Promise<StartedTask>;
  /** Stores an event and queues the tasks that `src/tables/events.ts` lists for it. */
  emit<Data extends object>(tx: Transaction, event: Event<Data>, data: Data): Promise<void>;
  /** Counts the queued tasks by name; undefined if the queue cannot be read within two seconds. The counts are up to five seconds old. */
  readStates(): Promise<readonly TaskState[] | undefined>;
  /** Queues failed tasks again, with all attempts: one of them, or the oldest of one name. @returns how many were queued. */
  retryFailed(tx: Transaction, failed: FailedSelection): Promise<number>;
  /** Runs the tasks of `src/tables/tasks.ts` until `close`. */
  startWorkers(platform: Platform): Promise<void>;
  /** Queues the scheduled tasks whose time has come, and resolves when no task but those of one name is due or running in this process. */
  finishDue(except: string, signal: AbortSignal): Promise<void>;
  /** Finds when the next task is due that is queued for later; undefined if none is. */
  findNextDue(): Promise<Date | undefined>;
  /** Runs all waiting tasks in this process now, including those scheduled for later, after any drain that is running. For tests and operator commands. */
  drain(platform: Platform): Promise<number>;
  /** Accepts no further tasks, gives running ones up to 15 s, and hands the rest back to the queue. */
  close(): Promise<void>;
};

/** Which failed tasks are tried again: the one with an id, or those with the name of a task. */
export type FailedSelection = { readonly id: string } | { readonly task: string };

/** When a task is queued for. `unless_sooner`: not at all if one with the same key (`merge_by`) is queued for that time or before. */
export type SendOptions = { readonly start_after?: Date; readonly unless_sooner?: boolean };

/** A task that was queued for a user. */
export type StartedTask = { readonly task_id: string; readonly status: 'queued' };

/** An event: its name, and the schema of the data that its listeners and webhooks receive. */
export type Event<Data extends object = never> = {
  readonly name: string;
  readonly schema: TObject;
  /** Only carries the type of the data; never set. */
  readonly accept?: (data: Data) => void;
};

/** The services and functions that a background task receives. */
export type TaskContext = Platform & {
  /** Aborted when this process stops. A long task then throws as soon as it can, and another worker starts it again. */
  readonly signal: AbortSignal;
  /** The ids of the stored events that queued the task, if it asks for them by `uses_event`: one, or up to `batch_max`. */
  readonly event_ids?: readonly string[];
  /** Reports progress to the user who waits. Calls are cheap: progress is written at most once a second. */
  readonly reportProgress: (done: number, total: number) => Promise<void>;
};

/** A background task. Its file defines its retry schedule and its work. */
export type Task<Data extends object = never> = {
  /** `module.verbNoun`: the file is `verb-noun.ts` in `src/modules/module/`. */
  readonly name: string;
  /** Seconds to wait before each retry. After the last one the task has failed. An attempt does not count if its worker was lost. */
  readonly retry_seconds: readonly number[];
  /** A cron expression in UTC, for a task that runs on a schedule; `computeNextTime` says which expressions there are. */
  readonly every?: string;
  /** How many runs of this task one process may have in progress; 1 by default. More help where a run waits for others, such as a mail server. */
  readonly parallel?: number;
  /** Claims one task at a time, because a run can suddenly wait long for others, and the tasks claimed with it would wait as well. */
  readonly claimed_alone?: true;
  /**
   * The id of the organisation or member for whom the task runs. They take turns: however many tasks wait for one of them, the next task of
   * another waits for at most one run.
   */
  readonly group_by?: (data: Data) => string;
  /**
   * Up to this many waiting tasks are done by one run, which receives their events and the data of all. If it fails, they are tried
   * again one at a time, so that one that always fails does not hold up the others.
   */
  readonly batch_max?: number;
  /** Receives the id of the event that queues it, and is queued once for each event, even for several with the same data. */
  readonly uses_event?: true;
  /** A key of the task. All waiting tasks with the same key are done by one run, which sees everything that was committed before it began. */
  readonly merge_by?: (data: Data) => string;
  /**
   * Does the work, and returns the URL of the result if it has one. It may run twice after a crash, so it must be safe to repeat. `batch` is the
   * data of all tasks that this run does; `data` is the first, and the only one without it.
   */
  readonly run: (
    context: TaskContext,
    data: Data,
    batch?: readonly Data[],
  ) => Promise<{ readonly result_url: string } | void>;
};
