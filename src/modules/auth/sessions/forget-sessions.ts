import { task } from '#platform/queue/task.ts';
import { deleteEndedGuesses } from '../store-guesses.ts';
import { deleteExpiredRows } from './store.ts';

const batch_rows = 5_000;
const batches_max = 1_000;

/** Deletes sessions, tokens of all kinds and counts of guesses that have expired: nobody can use them, and addresses are personal data. */
export const forgetSessions = task({
  name: 'auth.forgetSessions',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: async ({ database, config, now, signal }) => {
    // As long as an access token of the session could live, its revocation must be found by a process that starts.
    const horizon = new Date(now().getTime() - config.token.access_seconds * 1000);
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      const deleted = await deleteExpiredRows(database, horizon, batch_rows);
      if (deleted + (await deleteEndedGuesses(database, now(), batch_rows)) === 0) return;
    }
  },
});
