import { Refusal } from '#lib/refusal.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { queueNotice } from '../send-notice.ts';
import { findUserByIdOrEmail, lockUser, updateAccessVersion } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { endMfaSessions } from '../sessions/end-mfa-sessions.ts';
import { deleteMfa, findAuthenticator } from './store.ts';

type ResetResult = { readonly user_id: string; readonly mfa_enabled: boolean };

/**
 * Disables MFA of the account with an id or email address, for the operator, if its user has lost phone and recovery codes. The
 * user is notified by email.
 *
 * @throws Refusal `user_not_found`, `mfa_not_enabled`.
 */
export async function resetMfa(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<ResetResult> {
  const target = await findUserByIdOrEmail(platform.database, input['user'] ?? '');
  if (!target) throw new Refusal('user_not_found');
  return platform.database.transaction((tx) =>
    resetMfaById(platform, tx, { user_id: target.id, actor: null }),
  );
}

/** Disables MFA of an account on the word of `actor`. @throws Refusal `user_not_found`, `mfa_not_enabled`. */
export async function resetMfaById(
  services: Services,
  tx: Transaction,
  { user_id, actor }: { readonly user_id: string; readonly actor: NewAuditEntry['actor'] },
): Promise<ResetResult> {
  const { queue, now, secrets } = services;
  const user = await lockUser(tx, user_id);
  if (!user || user.removed_at !== null) throw new Refusal('user_not_found');
  const authenticator = await findAuthenticator(tx, user_id);
  if (!authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_not_enabled');
  await deleteMfa(tx, user_id);
  await endMfaSessions(services, tx, user);
  await updateAccessVersion(tx, user_id);
  const detail = { user_id };
  await recordAudit(tx, { now: now(), actor, action: 'auth.mfa_reset', ...buildAuditSubject(user), detail });
  await queueNotice({ queue, now, secrets }, tx, user_id, 'mfa_reset');
  return { user_id, mfa_enabled: false };
}
