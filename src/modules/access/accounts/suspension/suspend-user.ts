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
  listActivePlatformAdmins,
  lockUser,
  setSuspension,
} from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { recordRevokedSession, recordUserSuspension } from '../sessions/watch-sessions.ts';

type SuspensionResult = { readonly user_id: string; readonly suspended: boolean };

/**
 * Suspends the account with an id or email address, for the operator. Its sessions end at once, its user cannot log in, and a member is no
 * longer matched. Suspending a suspended account has no further effect.
 *
 * @throws Refusal `user_not_found`, `last_platform_admin`.
 */
export async function suspendUser(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<SuspensionResult> {
  const user_id = await requireUserId(platform, input['user'] ?? '');
  return platform.database.transaction((tx) => suspendById(platform, tx, { user_id, actor: null }));
}

/**
 * Ends the suspension of an account, for the operator. Its old sessions stay ended.
 *
 * @throws Refusal `user_not_found`, even for a user whom an organisation has removed, `account_pending_deletion`.
 */
export async function resumeUser(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<SuspensionResult> {
  const user_id = await requireUserId(platform, input['user'] ?? '');
  return platform.database.transaction((tx) => resumeById(platform, tx, { user_id, actor: null }));
}

async function requireUserId({ database }: Platform, name: string): Promise<string> {
  const user = await findUserByIdOrEmail(database, name);
  if (!user) throw new Refusal('user_not_found');
  return user.id;
}

/** Whose account it is, and who decides. */
type Decision = { readonly user_id: string; readonly actor: NewAuditEntry['actor'] };

/** Suspends an account and ends its sessions. @throws Refusal `user_not_found`, `last_platform_admin`, `account_pending_deletion`. */
export async function suspendById(
  services: Services,
  tx: Transaction,
  { user_id, actor }: Decision,
): Promise<SuspensionResult> {
  const now = services.now();
  await requireOtherAdmin(tx, user_id);
  await changeSuspension(services, tx, { user_id, actor, suspended: true, now });
  await deleteTickets(tx, user_id);
  const session_ids = await revokeSessions(tx, user_id, now);
  tx.afterCommit(() => session_ids.forEach((id) => recordRevokedSession(services, id, now)));
  return { user_id, suspended: true };
}

/** Ends the suspension of an account. @throws Refusal `user_not_found`, `account_pending_deletion`. */
export async function resumeById(
  services: Services,
  tx: Transaction,
  { user_id, actor }: Decision,
): Promise<SuspensionResult> {
  await changeSuspension(services, tx, { user_id, actor, suspended: false, now: services.now() });
  return { user_id, suspended: false };
}

/** Refuses to suspend the only platform administrator: nobody could lift a suspension, rotate keys or help others through the console. */
async function requireOtherAdmin(tx: Transaction, user_id: string): Promise<void> {
  const user = await findUser(tx, user_id);
  if (user?.role !== 'platform_admin') return;
  const admin_ids = await listActivePlatformAdmins(tx);
  if (admin_ids.includes(user_id) && admin_ids.length === 1) throw new Refusal('last_platform_admin');
}

async function changeSuspension(
  services: Services,
  tx: Transaction,
  { user_id, actor, suspended, now }: Decision & { readonly suspended: boolean; readonly now: Date },
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
