import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteHistory, type HistoryKey } from '../store-deliveries.ts';

/** Deletes what is left of the history of a deleted subscription. */
export const removeHistory = task<HistoryKey>({
  name: 'webhooks.removeHistory',
  retry_seconds: [60, 600, 3_600],
  group_by: ({ org_id }) => org_id,
  run: ({ database, signal }, key) =>
    deleteInBatches(signal, (limit) => database.transaction((tx) => deleteHistory(tx, key, limit))),
});
