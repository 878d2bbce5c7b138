import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteExpiredChallenges } from './passkeys/store.ts';
import { deleteEndedGuesses } from './store-guesses.ts';
import { deleteExpiredRows, deleteOldSessionEndings } from './sessions/store.ts';
import { computeMemorySeconds } from './sessions/watch-sessions.ts';

/** Deletes expired sessions, tokens, challenges and counts of guesses, because they are useless and contain personal data such as network addresses. */
export const forgetSessions = task({
  name: 'accounts.forgetSessions',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: async ({ database, config, now, signal }) => {
    const horizon = new Date(now().getTime() - config.token.access_seconds * 1000);
    await deleteInBatches(
      signal,
      async (limit) =>
        (await deleteExpiredRows(database, horizon, limit)) +
        (await deleteEndedGuesses(database, now(), limit)) +
        (await deleteExpiredChallenges(database, now(), limit)) +
        // A process that starts must find the end of a session until all its access tokens have expired.
        (await deleteOldSessionEndings(database, computeMemorySeconds(config), limit)),
    );
  },
});
