import { task } from '#platform/queue/task.ts';
import { computeOldestTimes } from './rules.ts';
import { deleteOldVolunteers } from './store.ts';

const batch_tests = 5_000;
const batches_max = 1_000;

/** Deletes tests that nobody has finished, and answers that are five years old. */
export const forgetVolunteers = task({
  name: 'traits.forgetVolunteers',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '41 * * * *',
  run: async (context) => {
    const before = computeOldestTimes(context.now());
    for (let batch = 0; batch < batches_max; batch++) {
      context.signal.throwIfAborted();
      const deleted = await context.database.transaction((tx) =>
        deleteOldVolunteers(tx, before, batch_tests),
      );
      if (deleted < batch_tests) break;
    }
  },
});
