import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { deleteOldEntries } from './store.ts';

const day_ms = 24 * 3_600_000;

/** Deletes entries of the audit log that are older than `TESSERA_AUDIT_DAYS`. The database refuses to delete entries of the last six months. */
export const forgetEntries = task({
  name: 'audit.forgetEntries',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '11 * * * *',
  run: ({ database, config, now, signal }) => {
    const horizon = new Date(now().getTime() - config.audit_days * day_ms);
    return deleteInBatches(signal, (limit) => deleteOldEntries(database, horizon, limit));
  },
});
