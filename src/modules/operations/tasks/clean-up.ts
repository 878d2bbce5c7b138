import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { deleteOldEvents } from '#platform/queue/event-records.ts';
import { task } from '#platform/queue/task.ts';
import { deleteFinishedTasks } from '#platform/queue/tracked-tasks.ts';

const retention_ms = 30 * 24 * 3_600_000;

/** Deletes replies stored for an Idempotency-Key after a day, and events and records of finished tasks after thirty days. */
export const cleanUp = task({
  name: 'tasks.cleanUp',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '17 * * * *',
  run: async (context) => {
    const { database, signal } = context;
    const horizon = new Date(context.now().getTime() - retention_ms);
    await deleteInBatches(signal, (limit) => deleteOldReplies(context, limit));
    await deleteInBatches(signal, (limit) => deleteFinishedTasks(database, horizon, limit));
    await deleteInBatches(signal, (limit) => deleteOldEvents(database, horizon, limit));
  },
});
