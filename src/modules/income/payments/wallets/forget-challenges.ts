import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteExpiredChallenges } from './store.ts';

/** Deletes the challenges that have expired. */
export const forgetChallenges = task({
  name: 'payments.forgetChallenges',
  // No retries: the next hourly run deletes what is left.
  retry_seconds: [],
  every: '47 * * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteExpiredChallenges(database, now(), limit)),
});
