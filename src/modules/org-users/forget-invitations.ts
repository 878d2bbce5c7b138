import { deleteRemovedAccounts } from '#modules/auth';
import { task } from '#platform/queue/task.ts';
import { computeDayBefore } from './rules.ts';
import { deleteEndedInvitations } from './store.ts';

const batch_rows = 1_000;
const batches_max = 1_000;
/** How long after the expiry of the last token a removed account is deleted, because the clocks of nodes differ. */
const overlap_ms = 3_600_000;

/** Deletes invitations a day after their end, because they count for the daily limit until then, and the accounts of removed users. */
export const forgetInvitations = task({
  name: 'orgUsers.forgetInvitations',
  retry_seconds: [60, 600],
  every: '47 * * * *',
  run: async ({ database, config, now, signal }) => {
    const horizon = new Date(now().getTime() - config.token.access_seconds * 1000 - overlap_ms);
    for (let batch = 0; batch < batches_max; batch++) {
      signal.throwIfAborted();
      const deleted = await deleteEndedInvitations(database, computeDayBefore(now()), batch_rows);
      const removed = await database.transaction((tx) => deleteRemovedAccounts(tx, horizon, batch_rows));
      if (deleted + removed === 0) return;
    }
  },
});
