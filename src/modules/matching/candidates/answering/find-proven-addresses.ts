import { findMemberAccounts } from '#modules/access/accounts';
import { findMember } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { hashAddress } from '../addresses.ts';

/** Finds the hashes of the addresses that a member has proven: anyone can register with the address of another person. */
export async function findProvenAddresses(
  services: Pick<Services, 'secrets'>,
  db: Reader,
  member_id: string,
): Promise<readonly Buffer[]> {
  const member = await findMember(db, member_id);
  if (!member?.email_verified) return [];
  const { emails } = await findMemberAccounts(db, member_id);
  return emails.filter((email) => email !== null).map((email) => hashAddress(services, email));
}
