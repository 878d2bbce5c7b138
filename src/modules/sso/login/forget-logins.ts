import { task } from '#platform/queue/task.ts';
import { deleteExpiredRows } from '../store.ts';

const batch_rows = 5_000;
const batches_max = 1_000;

/** Deletes logins that nobody can finish any more, and assertions that would not be taken a second time anyway. */
export const forgetLogins = task({
  name: 'sso.forgetLogins',
  // The next hour is the next try.
  retry_seconds: [],
  every: '47 * * * *',
  run: async ({ database, now, signal }) => {
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      if ((await deleteExpiredRows(database, now(), batch_rows)) === 0) return;
    }
  },
});
