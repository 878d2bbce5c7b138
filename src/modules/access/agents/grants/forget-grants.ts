import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteEndedGrants } from './store.ts';

const kept_days = 30;
const day_ms = 86_400_000;

/** Deletes grants a month after their end. The audit log keeps what happened. */
export const forgetGrants = task({
  name: 'agents.forgetGrants',
  // No retries: the next daily run deletes what is left.
  retry_seconds: [],
  every: '23 4 * * *',
  run: ({ database, now, signal }) => {
    const horizon = new Date(now().getTime() - kept_days * day_ms);
    return deleteInBatches(signal, (limit) => deleteEndedGrants(database, horizon, limit));
  },
});
