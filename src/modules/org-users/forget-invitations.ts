import { deleteRemovedAccounts } from '#modules/auth';
import { task } from '#platform/queue/task.ts';
import { computeDayBefore } from './rules.ts';
import { deleteEndedInvitations } from './store.ts';

const batch_rows = 1_000;
const batches_max = 1_000;
/** How much later than the end of the last token an emptied account goes: the clocks of nodes differ. */
const overlap_ms = 3_600_000;

/** Deletes invitations a day after their end, for until then they count, and the emptied accounts of whom an organisation removed. */
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
