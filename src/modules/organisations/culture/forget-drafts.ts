import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { computeDraftHorizon } from './rules.ts';
import { deleteEndedDrafts } from './store-drafts.ts';

/** Deletes drafts of answers a month after the last one was saved. */
export const forgetDrafts = task({
  name: 'culture.forgetDrafts',
  // No retries: the next daily run deletes what is left.
  retry_seconds: [],
  every: '37 4 * * *',
  run: ({ database, now, signal }) =>
    deleteInBatches(signal, (limit) => deleteEndedDrafts(database, computeDraftHorizon(now()), limit)),
});
