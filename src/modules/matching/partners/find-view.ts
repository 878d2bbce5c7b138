import { computeStatus, findInvitation } from '#modules/matching/candidates';
import { findMatchOfMember } from '#modules/matching/matches';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { findMember, mayKeepMatches } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { decideView, type Order, type OrderFacts, type View } from './rules.ts';

/** Finds what the system of an order may know now, by the state of the invitation, the member and the match at this moment. */
export async function findView(services: Pick<Services, 'now'>, db: Reader, order: Order): Promise<View> {
  return decideView(order, await findFacts(services, db, order));
}

async function findFacts(
  { now }: Pick<Services, 'now'>,
  db: Reader,
  { invitation_id, org_id }: Order,
): Promise<OrderFacts> {
  const invitation = await findInvitation(db, invitation_id);
  const status = invitation && computeStatus(invitation, now());
  const member_id = status === 'accepted' ? invitation?.member_id : null;
  if (!invitation || !member_id) return { status, match: undefined, isReadable: false };
  const member = await findMember(db, member_id);
  const isMatched = member !== undefined && mayKeepMatches(member);
  return {
    status,
    match: await findMatchOfMember(db, { job_id: invitation.job_id, member_id }),
    isReadable: isMatched && !(await isSuspendedOrganisation(db, org_id)),
  };
}
