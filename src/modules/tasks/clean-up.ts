import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { task } from '#platform/queue/task.ts';
import { deleteFinishedTasks } from '#platform/queue/tracked-tasks.ts';

const retention_ms = 30 * 24 * 3_600_000;

/** Deletes replies stored for an Idempotency-Key after a day, and records of finished tasks after thirty days. */
export const cleanUp = task({
  name: 'tasks.cleanUp',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '17 * * * *',
  run: async (context) => {
    await deleteOldReplies(context);
    await deleteFinishedTasks(context.database, new Date(context.now().getTime() - retention_ms));
  },
});
