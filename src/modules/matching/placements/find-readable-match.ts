import { Refusal } from '#lib/refusal.ts';
import { checkVerifiedAdmin, findMatch, isParty, type Match } from '#modules/matching/matches';
import type { Context } from '#platform/operation.ts';
import type { LoggedInCaller } from '#lib/caller.ts';

/**
 * Finds a match whose outcomes and feedback the caller may read: its member, its organisation, and platform administrators.
 *
 * @throws Refusal `match_not_found`, `email_not_verified`.
 */
export async function findReadableMatch(
  context: Pick<Context, 'database' | 'memory'> & { readonly caller: LoggedInCaller },
  match_id: string,
): Promise<Match> {
  const { caller, database } = context;
  const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
  if (!match || (caller.role !== 'platform_admin' && !isParty(caller, match)))
    throw new Refusal('match_not_found');
  return match;
}
