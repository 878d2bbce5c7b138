import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { history_days } from '../rules.ts';
import { deleteOldDeliveries } from './store.ts';

/** Deletes the history of deliveries after 30 days. */
export const forgetDeliveries = task({
  name: 'webhooks.forgetDeliveries',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: ({ database, now, signal }) => {
    const before = new Date(now().getTime() - history_days * 86_400_000);
    return deleteInBatches(signal, (limit) => deleteOldDeliveries(database, before, limit));
  },
});
