import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { history_days } from '../rules.ts';
import { deleteExpiredSecrets, deleteOldDeliveries } from './store.ts';

/** Deletes the history of deliveries after 30 days, and previous secrets that sign no longer. */
export const forgetDeliveries = task({
  name: 'webhooks.forgetDeliveries',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: async ({ database, now, signal }) => {
    const before = new Date(now().getTime() - history_days * 86_400_000);
    await deleteInBatches(signal, (limit) => deleteOldDeliveries(database, before, limit));
    await deleteInBatches(signal, (limit) => deleteExpiredSecrets(database, now(), limit));
  },
});
