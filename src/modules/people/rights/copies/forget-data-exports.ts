import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { computeOldestExportTime } from '../rules.ts';
import { deleteOldExports } from '../store.ts';

/** Deletes data exports that are older than a week. */
export const forgetDataExports = task({
  name: 'rights.forgetDataExports',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '47 * * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteOldExports(database, computeOldestExportTime(now()), limit)),
});
