import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import type { Platform } from '#platform/platform.ts';
import { queueNotice } from '../send-notice.ts';
import { findUserByIdOrEmail, lockUser, updateAccessVersion } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { deleteMfa, findAuthenticator } from './store.ts';

/**
 * Disables MFA of the account with an id or email address, for the operator, if its user has lost phone and recovery codes. The
 * user is notified by email.
 *
 * @throws Refusal `user_not_found`, `mfa_not_enabled`.
 */
export async function resetMfa(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<{ readonly user_id: string; readonly mfa_enabled: boolean }> {
  const { database, queue, now, secrets } = platform;
  const target = await findUserByIdOrEmail(database, input['user'] ?? '');
  if (!target) throw new Refusal('user_not_found');
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, target.id);
    if (!user) throw new Refusal('user_not_found');
    const authenticator = await findAuthenticator(tx, user.id);
    if (!authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_not_enabled');
    await deleteMfa(tx, user.id);
    await updateAccessVersion(tx, user.id);
    await recordAudit(tx, {
      now: now(),
      actor: null,
      action: 'auth.mfa_reset',
      ...buildAuditSubject(user),
    });
    await queueNotice({ queue, now, secrets }, tx, user.id, 'mfa_disabled');
    return { user_id: user.id, mfa_enabled: false };
  });
}
