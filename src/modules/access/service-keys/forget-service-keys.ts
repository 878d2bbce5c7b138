import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { kept_days as request_days } from './requests/rules.ts';
import { deleteOldRequests } from './requests/store.ts';
import { deleteEndedTokens } from './store-tokens.ts';
import { deleteExpiredKeys, deleteOldKeyChanges } from './store.ts';

const kept_days = 30;
const day_ms = 86_400_000;
/** Every process has read a change long before. */
const change_seconds = 3_600;

/** Deletes service keys a month after they expired, tokens that have ended, and what is known of requests after a week. The audit log keeps what happened. */
export const forgetServiceKeys = task({
  name: 'serviceKeys.forgetServiceKeys',
  // No retries: the next run deletes what is left.
  retry_seconds: [],
  every: '29 * * * *',
  run: async ({ database, now, signal }) => {
    const horizon = new Date(now().getTime() - kept_days * day_ms);
    await deleteInBatches(signal, (limit) => deleteExpiredKeys(database, horizon, limit));
    await deleteInBatches(signal, (limit) => deleteEndedTokens(database, now(), limit));
    await deleteInBatches(signal, (limit) => deleteOldKeyChanges(database, change_seconds, limit));
    const oldest = new Date(now().getTime() - request_days * day_ms);
    await deleteInBatches(signal, (limit) => deleteOldRequests(database, oldest, limit));
  },
});
