import { task } from '#platform/queue/task.ts';
import { deleteExpiredRows } from './store.ts';

const batch_rows = 5_000;
const batches_max = 1_000;

/** Deletes expired offers, and used nonces that have expired. */
export const forgetOffers = task({
  name: 'wallets.forgetOffers',
  // No retries: the next hourly run deletes what is left.
  retry_seconds: [],
  every: '53 * * * *',
  run: async ({ database, now, signal }) => {
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      if ((await deleteExpiredRows(database, now(), batch_rows)) === 0) return;
    }
  },
});
