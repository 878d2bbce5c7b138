import { recordAudit } from '#modules/operations/audit';
import { withdrawEverything } from '#modules/people/consent';
import { recordEmailVerified } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { deleteMfa, findAuthenticator } from '../mfa/store.ts';
import { queueNotice } from '../send-notice.ts';
import { markEmailVerified, type LockedUser } from '../store.ts';

/**
 * Gives an account whose address was never verified to the user who has just proven that the mailbox is theirs. The user who registered it may be
 * a stranger: MFA and consents from before the proof do not bind the owner. Replace the password in the same transaction. The
 * caller must hold the user's lock.
 */
export async function claimAccount(
  services: Pick<Services, 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
  user: LockedUser,
): Promise<void> {
  const now = services.now();
  const subject = buildAuditSubject(user);
  // Not for a platform administrator: the operator created the account, and a mailbox must not disable MFA.
  if (user.role !== 'platform_admin') await removeSecondFactor(services, tx, user.id);
  await markEmailVerified(tx, user.id, now);
  const actor = { user_id: user.id, role: user.role };
  await recordAudit(tx, { now, actor, action: 'auth.email_verified', ...subject });
  if (subject.member_id === null) return;
  // Before the address counts as verified, so that a stranger's consent never deploys the member.
  await withdrawEverything(services, tx, subject.member_id);
  await recordEmailVerified(services, tx, subject.member_id);
}

async function removeSecondFactor(
  services: Pick<Services, 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const authenticator = await findAuthenticator(tx, user_id);
  await deleteMfa(tx, user_id);
  if (authenticator && authenticator.enabled_at !== null)
    await queueNotice(services, tx, user_id, 'mfa_disabled');
}
