import type { Database } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { emptyChain, linkEntries } from './rules.ts';
import { findEnd, insertLinks, listOrgEnds, listUnlinked, lockChain } from './store.ts';

const batch_entries = 1_000;
const batches_max = 10_000;

/** An entry is visible when its transaction commits, and its time is that of its start, by the clock of its node. */
const lateness_ms = 3_600_000;

/** Gives each new entry of the audit log its link, once a minute. Until then, a change of it is not noticed. */
export const linkNewEntries = task({
  name: 'audit.linkNewEntries',
  // The next run replaces a retry.
  retry_seconds: [],
  every: '* * * * *',
  run: ({ database, signal }) => linkInBatches(database, signal, false),
});

/**
 * Links entries in short transactions until none is left.
 *
 * @param all looks at all entries, and not only at those since an hour before the last link.
 */
export async function linkInBatches(database: Database, signal: AbortSignal, all: boolean): Promise<void> {
  for (let batch = 0; batch < batches_max; batch++) {
    signal.throwIfAborted();
    if ((await linkBatch(database, all)) < batch_entries) return;
  }
}

function linkBatch(database: Database, all: boolean): Promise<number> {
  return database.transaction(async (tx) => {
    await lockChain(tx);
    const end = await findEnd(tx);
    const since = all || !end ? undefined : new Date(end.created_at.getTime() - lateness_ms);
    const entries = await listUnlinked(tx, since, batch_entries);
    if (entries.length === 0) return 0;
    const org_ids = [...new Set(entries.flatMap(({ org_id }) => org_id ?? []))];
    await insertLinks(tx, linkEntries(end ?? emptyChain, await listOrgEnds(tx, org_ids), entries));
    return entries.length;
  });
}
