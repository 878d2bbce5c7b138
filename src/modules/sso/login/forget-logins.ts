import { task } from '#platform/queue/task.ts';
import { deleteExpiredRows } from '../store.ts';

const batch_rows = 5_000;
const batches_max = 1_000;

/** Deletes expired login requests, and the ids of expired assertions, which would be refused anyway. */
export const forgetLogins = task({
  name: 'sso.forgetLogins',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '47 * * * *',
  run: async ({ database, now, signal }) => {
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      if ((await deleteExpiredRows(database, now(), batch_rows)) === 0) return;
    }
  },
});
