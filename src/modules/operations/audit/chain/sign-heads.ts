import { task } from '#platform/queue/task.ts';
import { signHead } from './head.ts';
import { linkInBatches } from './link-entries.ts';
import { findEnd, listOrgEndsSince } from './store.ts';

const day_ms = 24 * 3_600_000;
/** Each organisation with entries of the last day has one; a line has 600 bytes. */
const orgs_max = 10_000;

/**
 * Writes the signed heads of the audit log to the log of the service once a day: of the installation, and of each organisation with new entries.
 * There they are out of reach of anyone who can change the database. First links what was left over.
 */
export const signHeads = task({
  name: 'audit.signHeads',
  retry_seconds: [600, 3_600],
  every: '23 0 * * *',
  run: async (platform) => {
    const { database, log, now, signal } = platform;
    await linkInBatches(database, signal, true);
    const end = await findEnd(database);
    if (!end) return;
    const signed_at = now();
    const orgEnds = await listOrgEndsSince(database, new Date(signed_at.getTime() - day_ms), orgs_max);
    for (const [org_id, { position, head }] of [[null, end] as const, ...orgEnds])
      log.info(
        { audit_head: signHead(platform, { org_id, position, head, signed_at }) },
        'the signed head of the audit log',
      );
  },
});
