import { task } from '#platform/queue/task.ts';
import { deliverEvents } from './deliver-events.ts';
import { listOverdue } from './store.ts';

const overdue_ms = 60_000;
const overdue_max = 10_000;

/** Queues the sending of deliveries that are overdue because the run for them was lost or has failed, for example with the database. */
export const resumeDeliveries = task({
  name: 'webhooks.resumeDeliveries',
  retry_seconds: [10],
  every: '* * * * *',
  run: async ({ database, queue, now }) => {
    const overdue = await listOverdue(database, new Date(now().getTime() - overdue_ms), overdue_max);
    for (const key of overdue) await database.transaction((tx) => queue.send(tx, deliverEvents, key));
  },
});
