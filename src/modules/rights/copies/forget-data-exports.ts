import { task } from '#platform/queue/task.ts';
import { computeOldestExportTime } from '../rules.ts';
import { deleteOldExports } from '../store.ts';

/** Deletes the copies of members' data that are older than a week. */
export const forgetDataExports = task({
  name: 'rights.forgetDataExports',
  // The next hour is the next try.
  retry_seconds: [],
  every: '47 * * * *',
  run: async ({ database, now }) => deleteOldExports(database, computeOldestExportTime(now())),
});
