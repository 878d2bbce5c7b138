import { Refusal } from '#lib/refusal.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { findMember, recordMemberSuspension } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { deleteTickets } from '../mfa/store.ts';
import { revokeSessions } from '../sessions/store.ts';
import {
  findUser,
  findUserByIdOrEmail,
  lockPlatformAdministrators,
  lockUser,
  setSuspension,
} from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { recordRevokedSessions, recordUserSuspension } from '../sessions/watch-sessions.ts';

type SuspensionResult = { readonly user_id: string; readonly suspended: boolean };

/**
 * Suspends the account with an id or email address, or ends its suspension, for the operator at the command line.
 *
 * @throws Refusal `user_not_found`, even for a user whom an organisation has removed, `last_platform_admin`, `account_pending_deletion`.
 */
export async function changeUserFromCommand(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  suspended: boolean,
): Promise<SuspensionResult> {
  const user = await findUserByIdOrEmail(platform.database, input['user'] ?? '');
  if (!user) throw new Refusal('user_not_found');
  return platform.database.transaction((tx) =>
    changeUserSuspension(platform, tx, { user_id: user.id, suspended, actor: null }),
  );
}

type Change = SuspensionResult & { readonly actor: NewAuditEntry['actor'] };

/**
 * Suspends an account or ends its suspension. A suspension ends its sessions at once, its user cannot log in, and a member is no longer matched.
 * The old sessions stay ended. Repeating either changes nothing.
 *
 * @throws Refusal `user_not_found`, `last_platform_admin`, `account_pending_deletion`.
 */
export async function changeUserSuspension(
  services: Services,
  tx: Transaction,
  change: Change,
): Promise<SuspensionResult> {
  const { user_id, suspended } = change;
  const now = services.now();
  if (suspended) await requireOtherAdmin(tx, user_id);
  await changeSuspension(services, tx, change, now);
  if (suspended) {
    await deleteTickets(tx, user_id);
    const session_ids = await revokeSessions(tx, user_id, now);
    recordRevokedSessions(services, tx, session_ids, now);
  }
  return { user_id, suspended };
}

/** Refuses to suspend the only platform administrator: nobody could lift a suspension, rotate keys or help others through the console. */
async function requireOtherAdmin(tx: Transaction, user_id: string): Promise<void> {
  const user = await findUser(tx, user_id);
  if (user?.role !== 'platform_admin') return;
  const admin_ids = await lockPlatformAdministrators(tx);
  if (admin_ids.includes(user_id) && admin_ids.length === 1) throw new Refusal('last_platform_admin');
}

async function changeSuspension(
  services: Services,
  tx: Transaction,
  { user_id, actor, suspended }: Change,
  now: Date,
): Promise<void> {
  const user = await lockUser(tx, user_id);
  // The emptied row of a removed user remains for a while, but is no longer an account.
  if (!user || user.removed_at !== null) throw new Refusal('user_not_found');
  tx.afterCommit(() => recordUserSuspension(services, user_id, suspended));
  if ((user.suspended_at !== null) === suspended) return;
  const subject = buildAuditSubject(user);
  if (subject.member_id !== null) await setMemberSuspension(services, tx, subject.member_id, suspended);
  await setSuspension(tx, user_id, suspended ? now : null);
  const action = suspended ? 'auth.account_suspended' : 'auth.account_resumed';
  await recordAudit(tx, { now, actor, action, ...subject, detail: { user_id } });
}

/** Refuses a member who asked to be erased, because an account that is marked for deletion must not be used again. */
async function setMemberSuspension(
  services: Services,
  tx: Transaction,
  member_id: string,
  suspended: boolean,
): Promise<void> {
  const member = await findMember(tx, member_id);
  if (member?.account_status === 'pending_deletion') throw new Refusal('account_pending_deletion');
  await recordMemberSuspension(services, tx, member_id, suspended);
}
