import { task } from '#platform/queue/task.ts';
import { deleteOldChanges } from './store-changes.ts';

/** Forgets which members changed a day ago: every index has seen it, or is built anew. */
export const forgetChanges = task({
  name: 'matching.forgetChanges',
  retry_seconds: [60, 600],
  every: '17 * * * *',
  run: ({ database }) => deleteOldChanges(database),
});
