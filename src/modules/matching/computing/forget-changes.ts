import { task } from '#platform/queue/task.ts';
import { deleteOldChanges } from './store-changes.ts';

/** Deletes recorded changes of members that are older than a day. Every index has read them by then, or is rebuilt from scratch. */
export const forgetChanges = task({
  name: 'matching.forgetChanges',
  retry_seconds: [60, 600],
  every: '17 * * * *',
  run: ({ database }) => deleteOldChanges(database),
});
