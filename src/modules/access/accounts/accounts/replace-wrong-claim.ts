import { checkDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { recordEmailVerified } from '#modules/people/members';
import { recordAudit } from '#modules/operations/audit';
import { buildAuditSubject } from '../audit-subject.ts';
import { markEmailVerified, type Account } from '../store.ts';
import { displaceAccount, isAddressOwner } from './displace-account.ts';
import { insertAccount, type AddressedUser, type NewAccount } from './new-account.ts';

/**
 * Whether an account that single sign-on created has an address whose domain its organisation does not hold, and nobody has verified the
 * address. The owner of the mailbox may then take the address, but never the account, which belongs to the organisation.
 */
export async function isWronglyClaimed(
  services: Pick<Services, 'config'>,
  tx: Transaction,
  account: Pick<Account, 'email' | 'email_verified' | 'role' | 'linked_entity_id'>,
): Promise<boolean> {
  const { email, role, linked_entity_id: org_id } = account;
  if (isAddressOwner(account) || role === 'member' || org_id === null || email === null) return false;
  return (await checkDomainHolder(services, tx, { org_id, domain: readMailDomain(email) })) === 'none';
}

/**
 * Removes an account that an organisation created under a wrong claim, and gives its address to a new member, who has just proven that the
 * mailbox is theirs.
 */
export async function replaceWrongClaim(
  services: Pick<Services, 'memory' | 'now' | 'queue'>,
  tx: Transaction,
  { email, password_hash }: { readonly email: string; readonly password_hash: string },
): Promise<AddressedUser> {
  await displaceAccount(services, tx, email);
  return insertProvenMember(services, tx, { email, password_hash });
}

/**
 * Adds the account of a new member who has just proven that the mailbox is theirs.
 *
 * @throws Refusal `email_taken`.
 */
export function insertProvenMember(
  services: Pick<Services, 'memory' | 'now' | 'queue'>,
  tx: Transaction,
  login: { readonly email: string; readonly password_hash: string },
): Promise<AddressedUser> {
  return insertProvenAccount(services, tx, { ...login, role: 'member' });
}

/**
 * Adds an account, of which somebody has just proven that the mailbox is theirs.
 *
 * @throws Refusal `email_taken`.
 */
export async function insertProvenAccount(
  services: Pick<Services, 'memory' | 'now' | 'queue'>,
  tx: Transaction,
  login: Pick<NewAccount, 'email' | 'password_hash' | 'role' | 'name'>,
): Promise<AddressedUser> {
  const now = services.now();
  const user = await insertAccount(tx, { ...login, now });
  await markEmailVerified(tx, user.id, now);
  const subject = buildAuditSubject(user);
  const actor = { user_id: user.id, role: user.role };
  await recordAudit(tx, { now, actor, action: 'auth.registered', ...subject });
  await recordAudit(tx, { now, actor, action: 'auth.email_verified', ...subject });
  if (subject.member_id !== null) await recordEmailVerified(services, tx, subject.member_id);
  return user;
}
