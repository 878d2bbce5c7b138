import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteEndedTokens } from './store-tokens.ts';
import { deleteExpiredKeys } from './store.ts';

const kept_days = 30;
const day_ms = 86_400_000;

/** Deletes service keys a month after they expired, and tokens that have ended. The audit log keeps what happened. */
export const forgetServiceKeys = task({
  name: 'serviceKeys.forgetServiceKeys',
  // No retries: the next run deletes what is left.
  retry_seconds: [],
  every: '29 * * * *',
  run: async ({ database, now, signal }) => {
    const horizon = new Date(now().getTime() - kept_days * day_ms);
    await deleteInBatches(signal, (limit) => deleteExpiredKeys(database, horizon, limit));
    await deleteInBatches(signal, (limit) => deleteEndedTokens(database, now(), limit));
  },
});
