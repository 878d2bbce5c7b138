import { Refusal } from '#lib/refusal.ts';
import { findMatch, isContactShared, listSharedMatches, type Match } from '#modules/matching/matches';
import { lockMemberShared } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';

/** Whom an organisation names: a match of its own, a member with whom it shares one, or both. */
export type SubjectName = { readonly match_id?: string | undefined; readonly member_id?: string | undefined };

/**
 * Finds the match by which an organisation and a member know each other, and locks the member. Of several matches with a member, a placement comes first.
 *
 * @throws Refusal `match_not_found` or `member_not_found` for a stranger, as for one who does not exist; `contact_not_shared` if the member has not agreed
 *   to the match, or it has ended.
 */
export async function findSubject(
  tx: Transaction,
  org_id: string,
  { match_id, member_id }: SubjectName,
): Promise<Match> {
  if (match_id === undefined) return findByMember(tx, org_id, member_id ?? '');
  const match = await findMatch(tx, match_id);
  if (match?.org_id !== org_id || (member_id !== undefined && match.member_id !== member_id))
    throw new Refusal('match_not_found');
  if (!(await isShared(tx, match))) throw new Refusal('contact_not_shared');
  return match;
}

async function findByMember(tx: Transaction, org_id: string, member_id: string): Promise<Match> {
  const shared = (await listSharedMatches(tx, member_id)).filter((each) => each.org_id === org_id);
  const matches = await Promise.all(shared.map(({ match_id }) => findMatch(tx, match_id)));
  const found = matches.filter((each) => each !== undefined);
  const match = found.find(({ match_status }) => match_status === 'placed') ?? found[0];
  if (!match || !(await isShared(tx, match))) throw new Refusal('member_not_found');
  return match;
}

/** A withdrawal that has committed is seen, and a later one waits for this transaction. */
async function isShared(tx: Transaction, { member_id, match_status }: Match): Promise<boolean> {
  const member = await lockMemberShared(tx, member_id);
  return member !== undefined && isContactShared(match_status, member);
}
