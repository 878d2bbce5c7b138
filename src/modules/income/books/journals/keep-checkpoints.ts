import { task } from '#platform/queue/task.ts';
import { cutSlices, whole_postings_max, type Slice } from './slices.ts';
import { countPostings, keepCheckpoint, listHoldersToCheckpoint } from './store.ts';

/** A balance adds up this many postings in less time than the statement takes to arrive. */
const least_postings = 100;

/** What is posted after this time mostly belongs to a later one, so that few postings end a checkpoint. */
const margin_ms = 3_600_000;

const batch_holders = 100;
const batches_max = 10_000;

/**
 * Stores for each member with many new postings what they sum to, so that a balance adds up only those that came later. One member is one short
 * transaction, because the reads of a member wait for it.
 */
export const keepCheckpoints = task({
  name: 'books.keepCheckpoints',
  retry_seconds: [600, 3_600],
  every: '47 2 * * *',
  run: async ({ database, now, signal }) => {
    const until = new Date(now().getTime() - margin_ms);
    const listNext = (slice: Slice) =>
      listHoldersToCheckpoint(database, slice, { until, least_postings, limit: batch_holders });
    for (const slice of cutSlices(await countPostings(database, whole_postings_max)))
      for (let batch = 0; batch < batches_max; batch++) {
        const holders = await listNext(slice);
        for (const holder_id of holders) {
          signal.throwIfAborted();
          await database.transaction((tx) => keepCheckpoint(tx, holder_id, until));
        }
        if (holders.length < batch_holders) break;
      }
  },
});
