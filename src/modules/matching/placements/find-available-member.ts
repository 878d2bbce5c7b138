import { Refusal } from '#lib/refusal.ts';
import type { Match } from '#modules/matching/matches';
import { findMember, mayKeepMatches, type Member } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';

/**
 * Finds the member of a match about whom the organisation may record something. After a withdrawn consent or a request to delete the account
 * it records nothing new about the member, even before the tasks that end the matches have run.
 *
 * @throws Refusal `match_ended`.
 */
export async function findAvailableMember(db: Reader, match: Pick<Match, 'member_id'>): Promise<Member> {
  const member = await findMember(db, match.member_id);
  if (!member || !mayKeepMatches(member))
    throw new Refusal('match_ended', {
      detail: 'The member has withdrawn a consent or is leaving, so nothing more is recorded about them.',
    });
  return member;
}
