import { deleteOldReplies } from '#platform/http/idempotency.ts';
import { task } from '#platform/queue/task.ts';
import { deleteFinishedTasks } from '#platform/queue/tracked-tasks.ts';

const kept_ms = 30 * 24 * 3_600_000;

/** Forgets what nobody asks for any more: kept answers after a day, records of finished tasks after thirty days. */
export const cleanUp = task({
  name: 'tasks.cleanUp',
  // The next hour is the next try.
  retry_seconds: [],
  every: '17 * * * *',
  run: async (context) => {
    await deleteOldReplies(context);
    await deleteFinishedTasks(context.database, new Date(context.now().getTime() - kept_ms));
  },
});
