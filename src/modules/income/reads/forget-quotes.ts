import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { formatDay } from './rules.ts';
import { deleteExpiredQuotes, deleteOldCounts, deleteOldFreeReads } from './store.ts';

/** Deletes quotes that have expired, and the used quotas and free reads of days before yesterday. */
export const forgetQuotes = task({
  name: 'reads.forgetQuotes',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '53 * * * *',
  run: ({ database, now, signal }) => {
    const yesterday = formatDay(new Date(now().getTime() - 86_400_000));
    return deleteInBatches(signal, async (limit) => {
      const quotes = await deleteExpiredQuotes(database, now(), limit);
      const counts = await deleteOldCounts(database, yesterday, limit);
      return quotes + counts + (await deleteOldFreeReads(database, yesterday, limit));
    });
  },
});
