import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { deleteOldEvents } from '#platform/queue/event-records.ts';
import { deleteFailedTasks } from '#platform/queue/failed-tasks.ts';
import { task } from '#platform/queue/task.ts';
import { deleteSucceededTasks } from '#platform/queue/tracked-tasks.ts';

const day_ms = 24 * 3_600_000;

/**
 * Deletes replies stored for an Idempotency-Key after a day, and failed tasks after a week, and events and what users watched of
 * their tasks after thirty days.
 */
export const cleanUp = task({
  name: 'tasks.cleanUp',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '17 * * * *',
  run: async (context) => {
    const { database, signal } = context;
    const findDay = (days: number) => new Date(context.now().getTime() - days * day_ms);
    await deleteInBatches(signal, (limit) => deleteOldReplies(context, limit));
    await deleteInBatches(signal, (limit) => deleteFailedTasks(database, findDay(7), limit));
    await deleteInBatches(signal, (limit) => deleteSucceededTasks(database, findDay(30), limit));
    await deleteInBatches(signal, (limit) => deleteOldEvents(database, findDay(30), limit));
  },
});
