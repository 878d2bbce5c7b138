import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { sql, type Transaction } from '#platform/database/database.ts';
import type { Queue, SendOptions, Task } from '#platform/platform.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { insertTask } from '#platform/queue/stored-tasks.ts';

/** The functions of the queue that write, and `put`, which queues a task even if the transaction has queued the same one. */
export type Enqueuer = Pick<Queue, 'send' | 'start' | 'emit'> & {
  /** @returns the id of the task. */
  put(tx: Transaction, task: Task, data: object, options?: PutOptions): string;
};

type PutOptions = SendOptions & { readonly event_id?: string; readonly user_id?: string };

type EnqueuerOptions = {
  readonly clock: Clock;
  readonly tasks: readonly Task[];
  readonly events: readonly EventRow[];
  /** Called after the commit of a transaction that queued the task for execution at once. */
  readonly announce: (name: string) => void;
};

/** Creates the functions that write tasks and events in the caller's transaction. */
export function createEnqueuer({ clock, tasks, events, announce }: EnqueuerOptions): Enqueuer {
  const names = new Set(tasks.map(({ name }) => name));
  const tasksByEvent = new Map(events.map(({ event, tasks }) => [event.name, tasks]));
  const keysByTransaction = new WeakMap<Transaction, Set<string>>();

  const put: Enqueuer['put'] = (tx, { name, group_by, merge_by }, data, options = {}) => {
    if (!names.has(name)) throw new Error(`the task ${name} is missing from src/tables/tasks.ts`);
    const { start_after, unless_sooner = false, event_id, user_id } = options;
    if (!start_after) tx.afterCommit(() => announce(name));
    return insertTask(tx, {
      name,
      data,
      due_at: start_after,
      // The queue stores the data that `send`, `start` or `emit` accepted for this task.
      group_id: group_by?.(data as never),
      merge_key: merge_by?.(data as never),
      event_id,
      user_id,
      now: clock.now(),
      unless_sooner,
    });
  };

  /** Queues a task unless this transaction has already queued it with the same data, because one run sees all changes of the transaction. */
  const putOnce = (tx: Transaction, task: Task, data: object, event_id?: string) => {
    const queuedKeys = keysByTransaction.get(tx) ?? new Set();
    keysByTransaction.set(tx, queuedKeys);
    const used = task.uses_event && event_id !== undefined ? { event_id } : {};
    const key = `${task.name} ${JSON.stringify({ data, ...used })}`;
    if (queuedKeys.has(key)) return;
    queuedKeys.add(key);
    put(tx, task, data, used);
  };

  return {
    put,
    send: async (tx, task, data, options) =>
      options?.start_after ? void put(tx, task, data, options) : putOnce(tx, task, data),
    start: async (tx, task, data, user_id) => ({
      task_id: put(tx, task, data, { user_id }),
      status: 'queued',
    }),
    emit: async (tx, event, data) => {
      const tasks = tasksByEvent.get(event.name);
      if (!tasks) throw new Error(`the event ${event.name} is missing from src/tables/events.ts`);
      const event_id = randomUUID();
      void tx.runAhead(sql`
        insert into events (id, type, data, created_at)
        values (${event_id}, ${event.name}, ${JSON.stringify(data)}, ${clock.now()})`);
      for (const task of tasks) putOnce(tx, task, data, event_id);
    },
  };
}
