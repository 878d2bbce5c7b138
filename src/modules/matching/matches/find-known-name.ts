import type { Member } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { computeAlias } from './alias.ts';
import { isContactShared } from './contact/rules.ts';
import { findMatchWithOrganisation } from './store-member-matches.ts';

/**
 * Finds the id by which an organisation knows a member: the real one while both share the contact, or else the alias of the match that has come furthest,
 * and of several the oldest. Undefined if no open match is shown to both.
 */
export async function findKnownName(
  services: Pick<Services, 'memory' | 'secrets'>,
  db: Reader,
  org_id: string,
  member: Member,
): Promise<string | undefined> {
  const match = await findMatchWithOrganisation(db, member.id, org_id);
  if (!match) return undefined;
  return isContactShared(match.match_status, member) ? member.id : computeAlias(services, match);
}
