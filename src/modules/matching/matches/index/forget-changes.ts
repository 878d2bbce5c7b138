import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteOldCopies } from './store-copies.ts';
import { deleteOldNodes } from './store-nodes.ts';
import { deleteOldChanges, deleteOldJobChanges } from './store-changes.ts';

/**
 * Deletes recorded changes of members and jobs, records of saved indexes, and reports of workers, that are older than a day. Every index that still follows the changes
 * has read them by then, and the others are built from scratch: a worker that is gone keeps nothing.
 */
export const forgetChanges = task({
  name: 'matches.forgetChanges',
  retry_seconds: [60, 600],
  every: '17 * * * *',
  run: async ({ database, signal }) => {
    await deleteInBatches(signal, (limit) => deleteOldChanges(database, limit));
    await deleteInBatches(signal, (limit) => deleteOldJobChanges(database, limit));
    await deleteInBatches(signal, (limit) => deleteOldCopies(database, limit));
    await deleteInBatches(signal, (limit) => deleteOldNodes(database, limit));
  },
});
