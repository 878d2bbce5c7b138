import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteOldOffers } from '../store.ts';

const kept_ms = 365 * 86_400_000;

/** Deletes offers that ended a year ago without a credential. Until then, what a member has declined is not offered again. */
export const forgetOffers = task({
  name: 'offers.forgetOffers',
  // The next daily run replaces a retry.
  retry_seconds: [],
  every: '41 3 * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteOldOffers(database, new Date(now().getTime() - kept_ms), limit)),
});
