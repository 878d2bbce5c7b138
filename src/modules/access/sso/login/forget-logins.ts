import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteExpiredRows } from '../store.ts';

/** Deletes expired login requests, and the ids of expired assertions, which would be refused anyway. */
export const forgetLogins = task({
  name: 'sso.forgetLogins',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '47 * * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteExpiredRows(database, now(), limit)),
});
