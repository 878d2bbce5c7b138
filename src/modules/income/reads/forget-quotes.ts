import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { computeFirstCountedDay, formatDay } from './rules.ts';
import { deleteOldProposals } from './store-proposals.ts';
import { deleteExpiredQuotes, deleteOldCounts, deleteOldFreeReads } from './store.ts';

/** How long a proposal that was not paid is kept after it could be. */
const proposal_days = 90;

/** Deletes quotes that have expired, free reads of days before yesterday, counts of days that no longer count, and old proposals. */
export const forgetQuotes = task({
  name: 'reads.forgetQuotes',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '53 * * * *',
  run: ({ database, now, signal }) => {
    const ended = new Date(now().getTime() - proposal_days * 86_400_000);
    const counted = formatDay(computeFirstCountedDay(now()));
    const yesterday = formatDay(new Date(now().getTime() - 86_400_000));
    return deleteInBatches(signal, async (limit) => {
      const quotes = await deleteExpiredQuotes(database, now(), limit);
      const counts = await deleteOldCounts(database, counted, limit);
      const proposals = await deleteOldProposals(database, ended, limit);
      return quotes + counts + proposals + (await deleteOldFreeReads(database, yesterday, limit));
    });
  },
});
