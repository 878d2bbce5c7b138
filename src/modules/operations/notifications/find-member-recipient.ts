import { findGreetingName, findMemberAccounts } from '#modules/access/accounts';
import type { Recipient } from '#modules/operations/mail';
import { findMember, type Member } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import type { OccasionalKind } from './rules.ts';
import { readSettings } from './settings.ts';

/** An email to a user of a member. */
type Addressed = { readonly user_id: string; readonly member_id: string; readonly kind: OccasionalKind };

/** Finds a member and the address of one of its users; undefined if the email is not wanted, or the account is suspended, closed or unverified. */
export async function findMemberRecipient(
  db: Reader,
  { user_id, member_id, kind }: Addressed,
): Promise<{ readonly member: Member; readonly recipient: Recipient } | undefined> {
  if ((await readSettings(db, user_id))[kind] === 'never') return undefined;
  const member = await findMember(db, member_id);
  if (member?.account_status !== 'active' || !member.email_verified) return undefined;
  const { user_ids, emails } = await findMemberAccounts(db, member_id);
  const email = emails[user_ids.indexOf(user_id)];
  return email ? { member, recipient: { email, name: await findGreetingName(db, user_id) } } : undefined;
}
