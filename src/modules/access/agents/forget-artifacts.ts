import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { client_lifetimes_s } from './rules.ts';
import { deleteExpiredArtifacts } from './store-artifacts.ts';
import { deleteIdleClients } from './store-clients.ts';

/** Deletes expired artifacts of the protocol, and registered clients that nobody uses. */
export const forgetArtifacts = task({
  name: 'agents.forgetArtifacts',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '23 * * * *',
  run: async ({ database, now, signal }) => {
    await deleteInBatches(signal, (limit) => deleteExpiredArtifacts(database, now(), limit));
    const subtract = (seconds: number) => new Date(now().getTime() - seconds * 1000);
    const horizons = {
      unused_since: subtract(client_lifetimes_s.unused),
      idle_since: subtract(client_lifetimes_s.idle),
    };
    await deleteInBatches(signal, (limit) => deleteIdleClients(database, horizons, limit));
  },
});
