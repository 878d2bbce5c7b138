import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findMatch, isParty, type Match } from '#modules/matching/matches';
import type { Reader } from '#platform/database/database.ts';

/**
 * Finds a match of the caller: the member's own, or one of the caller's organisation.
 *
 * @throws Refusal `match_not_found`.
 */
export async function findPartyMatch(db: Reader, caller: LoggedInCaller, match_id: string): Promise<Match> {
  const match = await findMatch(db, match_id);
  if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
  return match;
}
