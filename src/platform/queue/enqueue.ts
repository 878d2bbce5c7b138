import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { sql, type Transaction } from '#platform/database/database.ts';
import type { Queue, Task } from '#platform/platform.ts';
import type { EventRow } from '#platform/queue/event.ts';
import { insertQueuedTask, type Envelope } from '#platform/queue/queued-tasks.ts';

/** The functions of the queue that write, and `put`, which writes one queued task without changes. */
export type Enqueuer = Pick<Queue, 'send' | 'start' | 'emit'> & {
  put(tx: Transaction, task: Task, envelope: Envelope, start_after?: Date): Promise<void>;
};

type EnqueuerOptions = {
  readonly clock: Clock;
  readonly events: readonly EventRow[];
  /** Called after the commit of a transaction that queued the task for execution at once. */
  readonly announce: (name: string) => void;
};

/** Creates the functions that write tasks and events in the caller's transaction. */
export function createEnqueuer({ clock, events, announce }: EnqueuerOptions): Enqueuer {
  const tasksByEvent = new Map(events.map(({ event, tasks }) => [event.name, tasks]));
  const keysByTransaction = new WeakMap<Transaction, Set<string>>();

  const put: Enqueuer['put'] = async (tx, { name, group_by, merge_by }, envelope, start_after) => {
    // The queue stores the data that `send`, `start` or `emit` accepted for this task.
    const data = envelope.data as never;
    const [group, key] = [group_by?.(data), merge_by?.(data)];
    insertQueuedTask(tx, { id: randomUUID(), name, envelope, start_after, group, key });
    if (!start_after) tx.afterCommit(() => announce(name));
  };

  /** Queues a task unless this transaction has already queued it with the same data, because one run sees all changes of the transaction. */
  const putOnce = async (tx: Transaction, task: Task, data: object, event_id?: string) => {
    const queuedKeys = keysByTransaction.get(tx) ?? new Set();
    keysByTransaction.set(tx, queuedKeys);
    const envelope = { data, attempt: 1, ...(task.uses_event && event_id && { event_id }) };
    const key = `${task.name} ${JSON.stringify(envelope)}`;
    if (queuedKeys.has(key)) return;
    queuedKeys.add(key);
    await put(tx, task, envelope);
  };

  return {
    put,
    send: (tx, task, data, { start_after } = {}) =>
      start_after ? put(tx, task, { data, attempt: 1 }, start_after) : putOnce(tx, task, data),
    start: async (tx, task, data, user_id) => {
      const task_id = randomUUID();
      const now = clock.now();
      void tx.runAhead(sql`
        insert into tasks (id, name, user_id, status, created_at, updated_at)
        values (${task_id}, ${task.name}, ${user_id}, 'queued', ${now}, ${now})`);
      await put(tx, task, { data, attempt: 1, task_id });
      return { task_id, status: 'queued' };
    },
    emit: async (tx, event, data) => {
      const tasks = tasksByEvent.get(event.name);
      if (!tasks) throw new Error(`the event ${event.name} is missing from src/tables/events.ts`);
      const event_id = randomUUID();
      void tx.runAhead(sql`
        insert into events (id, type, data, created_at)
        values (${event_id}, ${event.name}, ${JSON.stringify(data)}, ${clock.now()})`);
      for (const task of tasks) await putOnce(tx, task, data, event_id);
    },
  };
}
