import { findUser } from '#modules/access/accounts';
import { findMember } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { hashAddress } from '../addresses.ts';

/** Finds the hash of the address that a member has proven; undefined without one: anyone can register with the address of another person. */
export async function findProvenAddress(
  services: Pick<Services, 'secrets'>,
  db: Reader,
  { member_id, user_id }: { readonly member_id: string; readonly user_id: string },
): Promise<Buffer | undefined> {
  const [member, user] = [await findMember(db, member_id), await findUser(db, user_id)];
  return member?.email_verified && user?.email ? hashAddress(services, user.email) : undefined;
}
