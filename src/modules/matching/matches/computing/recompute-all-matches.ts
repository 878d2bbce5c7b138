import type { Platform } from '#platform/platform.ts';
import { computeAllMatches } from './compute-all-matches.ts';

/** Queues a computation of the matches of all active jobs. For the operator. */
export async function recomputeAllMatches({
  database,
  queue,
}: Pick<Platform, 'database' | 'queue'>): Promise<{ readonly queued: true }> {
  await database.transaction((tx) => queue.send(tx, computeAllMatches, {}));
  return { queued: true };
}
