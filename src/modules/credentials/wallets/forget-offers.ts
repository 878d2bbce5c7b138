import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteExpiredRows } from './store.ts';

/** Deletes expired offers, and used nonces that have expired. */
export const forgetOffers = task({
  name: 'wallets.forgetOffers',
  // No retries: the next hourly run deletes what is left.
  retry_seconds: [],
  every: '53 * * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteExpiredRows(database, now(), limit)),
});
