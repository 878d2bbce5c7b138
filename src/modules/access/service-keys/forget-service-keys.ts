import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteExpiredKeys } from './store.ts';

const kept_days = 30;
const day_ms = 86_400_000;

/** Deletes service keys a month after they expired. The audit log keeps what happened. */
export const forgetServiceKeys = task({
  name: 'serviceKeys.forgetServiceKeys',
  // No retries: the next daily run deletes what is left.
  retry_seconds: [],
  every: '29 4 * * *',
  run: ({ database, now, signal }) => {
    const horizon = new Date(now().getTime() - kept_days * day_ms);
    return deleteInBatches(signal, (limit) => deleteExpiredKeys(database, horizon, limit));
  },
});
