import type { Reader } from '#platform/database/database.ts';
import { addCounts, countByStatus } from './store.ts';

/**
 * Counts the matches that wait for one side: for an organisation those that a member has accepted, for a member those in which an organisation
 * is interested.
 */
export async function countWaitingMatches(
  db: Reader,
  side: { readonly org_id: string } | { readonly member_id: string },
): Promise<number> {
  return addCounts(
    'org_id' in side
      ? await countByStatus(db, { ...side, status: 'member_accepted' })
      : await countByStatus(db, { ...side, status: 'org_interested' }),
  );
}
