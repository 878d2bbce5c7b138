import { deleteRemovedAccounts } from '#modules/access/accounts';
import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { computeDayBefore } from './rules.ts';
import { deleteEndedInvitations } from './store.ts';

const batch_rows = 1_000;
/** How long after the expiry of the last token a removed account is deleted, because the clocks of nodes differ. */
const overlap_ms = 3_600_000;

/** Deletes invitations a day after their end, because they count for the daily limit until then, and the accounts of removed users. */
export const forgetInvitations = task({
  name: 'orgUsers.forgetInvitations',
  retry_seconds: [60, 600],
  every: '47 * * * *',
  run: async ({ database, config, now, signal }) => {
    const horizon = new Date(now().getTime() - config.token.access_seconds * 1000 - overlap_ms);
    await deleteInBatches(signal, async () => {
      const deleted = await deleteEndedInvitations(database, computeDayBefore(now()), batch_rows);
      const removed = await database.transaction((tx) => deleteRemovedAccounts(tx, horizon, batch_rows));
      return deleted + removed;
    });
  },
});
