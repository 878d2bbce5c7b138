import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { recordDisplacement } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { accountDisplaced } from '../events.ts';
import { findAccount, lockUser, type Account } from '../store.ts';
import { no_password } from '../passwords/passwords.ts';
import { recordRevokedSessions } from '../sessions/watch-sessions.ts';
import { clearAccount } from './store-removal.ts';

/**
 * Whether an account keeps its address against a user who proves that the mailbox is theirs. An account whose address was never verified
 * does not: anyone may register any address. The operator vouches for platform administrators, whose accounts are often never verified.
 */
export function isAddressOwner({ email_verified, role }: Pick<Account, 'email_verified' | 'role'>): boolean {
  return email_verified || role === 'platform_admin';
}

/**
 * Frees an address for a user who has proven, with an emailed token, that the mailbox is theirs. An account that has the address without ever
 * having verified it is closed with its MFA, and the data of its member is erased after the retention period.
 *
 * @throws Refusal `email_taken` if the account keeps the address.
 */
export async function displaceAccount(
  services: Pick<Services, 'memory' | 'now' | 'queue'>,
  tx: Transaction,
  email: string,
): Promise<void> {
  const account = await findAccount(tx, email);
  const user = account && (await lockUser(tx, account.id));
  // Freed since it was read. If another user takes it now, the database refuses the second one.
  if (user?.email !== email) return;
  if (isAddressOwner({ ...user, email_verified: user.email_verified_at !== null }))
    throw new Refusal('email_taken');
  const subject = buildAuditSubject(user);
  const detail = { user_id: user.id };
  const action = 'auth.account_displaced';
  await recordAudit(tx, { now: services.now(), actor: null, action, ...subject, detail });
  await removeAccount(services, tx, user.id);
  if (subject.member_id === null) return;
  await recordDisplacement(services, tx, subject.member_id);
  await services.queue.emit(tx, accountDisplaced, { member_id: subject.member_id });
}

/**
 * Removes the account of an organisation's user, or one that lost its address. Email address, password, passkeys, MFA, network addresses and devices are deleted at
 * once. This process refuses the user's access tokens as soon as the transaction commits. The emptied row remains until every access token
 * has expired, so that other processes learn to refuse them.
 */
export async function removeAccount(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const now = services.now();
  const session_ids = await clearAccount(tx, { user_id, password_hash: no_password, now });
  recordRevokedSessions(services, tx, session_ids, now);
}
