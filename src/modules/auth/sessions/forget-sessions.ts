import { task } from '#platform/queue/task.ts';
import { deleteEndedGuesses } from '../store-guesses.ts';
import { deleteExpiredRows } from './store.ts';
import { deleteOldEndings } from './store-endings.ts';
import { computeMemorySeconds } from './watch-sessions.ts';

const batch_rows = 5_000;
const batches_max = 1_000;

/** Deletes expired sessions, tokens and counts of guesses, because they are useless and contain personal data such as network addresses. */
export const forgetSessions = task({
  name: 'auth.forgetSessions',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: async ({ database, config, now, signal }) => {
    const horizon = new Date(now().getTime() - config.token.access_seconds * 1000);
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      const deleted_rows =
        (await deleteExpiredRows(database, horizon, batch_rows)) +
        (await deleteEndedGuesses(database, now(), batch_rows)) +
        // A process that starts must find the end of a session until all its access tokens have expired.
        (await deleteOldEndings(database, computeMemorySeconds(config), batch_rows));
      if (deleted_rows === 0) return;
    }
  },
});
