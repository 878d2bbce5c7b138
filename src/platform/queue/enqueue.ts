import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Clock } from '#platform/clock.ts';
import { sql, type Transaction } from '#platform/database/database.ts';
import type { Queue, Task } from '#platform/platform.ts';
import type { EventRow } from '#platform/queue/event.ts';

/** What travels through the queue: the task's data, the number of the attempt, and the record that a user watches. */
export type Envelope = { readonly data: object; readonly attempt: number; readonly task_id?: string };

/** The part of the queue that writes, and `put`, which writes one job as it is. */
export type Enqueuer = Pick<Queue, 'send' | 'start' | 'emit'> & {
  put(tx: Transaction, task: Task, envelope: Envelope, start_after?: Date): Promise<void>;
};

/** Creates the functions that write tasks and events in the caller's transaction. */
export function createEnqueuer(
  boss: PgBoss,
  { clock, events }: { readonly clock: Clock; readonly events: readonly EventRow[] },
): Enqueuer {
  const tasksByEvent = new Map(events.map(({ event, tasks }) => [event.name, tasks]));
  const queued = new WeakMap<Transaction, Set<string>>();

  const put: Enqueuer['put'] = async (tx, task, envelope, start_after) => {
    const startAfter = start_after && { startAfter: start_after };
    await boss.send(task.name, envelope, { ...startAfter, db: wrapTransaction(tx) });
  };

  /** Two changes of one transaction often start the same task for the same subject: one run sees both. */
  const putOnce = async (tx: Transaction, task: Task, data: object) => {
    const known = queued.get(tx) ?? new Set();
    queued.set(tx, known);
    const key = `${task.name} ${JSON.stringify(data)}`;
    if (known.has(key)) return;
    known.add(key);
    await put(tx, task, { data, attempt: 1 });
  };

  return {
    put,
    send: (tx, task, data, { start_after } = {}) =>
      start_after ? put(tx, task, { data, attempt: 1 }, start_after) : putOnce(tx, task, data),
    start: async (tx, task, data, user_id) => {
      const task_id = randomUUID();
      const now = clock.now();
      await tx.run(sql`
        insert into tasks (id, name, user_id, status, created_at, updated_at)
        values (${task_id}, ${task.name}, ${user_id}, 'queued', ${now}, ${now})`);
      await put(tx, task, { data, attempt: 1, task_id });
      return { task_id, status: 'queued' };
    },
    emit: async (tx, event, data) => {
      const tasks = tasksByEvent.get(event.name);
      if (!tasks) throw new Error(`the event ${event.name} is missing from src/events.ts`);
      await tx.run(sql`
        insert into events (id, type, data, created_at)
        values (${randomUUID()}, ${event.name}, ${JSON.stringify(data)}, ${clock.now()})`);
      for (const task of tasks) await putOnce(tx, task, data);
    },
  };
}

/** pg-boss writes its job with the statements of our own transaction. */
function wrapTransaction(tx: Transaction) {
  return { executeSql: (text: string, values?: unknown[]) => tx.client.query(text, values) };
}
