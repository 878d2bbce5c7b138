import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import { findMember, recordMemberSuspension } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteTickets } from '../mfa/store.ts';
import { revokeSessions } from '../sessions/store.ts';
import { findUserByIdOrEmail, lockUser, setSuspension } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { recordRevokedSession, recordUserSuspension } from '../sessions/watch-sessions.ts';

type SuspensionResult = { readonly user_id: string; readonly suspended: boolean };

/**
 * Suspends the account with an id or email address, for the operator. Its sessions end at once, its user cannot log in, and a member is no
 * longer matched. Suspending a suspended account has no further effect.
 *
 * @throws Refusal `user_not_found`.
 */
export async function suspendUser(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<SuspensionResult> {
  const now = platform.now();
  const user_id = await requireUserId(platform, input['user'] ?? '');
  await platform.database.transaction(async (tx) => {
    await setUserSuspension(platform, tx, { user_id, suspended: true, now });
    await deleteTickets(tx, user_id);
    const session_ids = await revokeSessions(tx, user_id, now);
    tx.afterCommit(() => session_ids.forEach((id) => recordRevokedSession(platform, id, now)));
  });
  return { user_id, suspended: true };
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
  const now = platform.now();
  const user_id = await requireUserId(platform, input['user'] ?? '');
  await platform.database.transaction((tx) =>
    setUserSuspension(platform, tx, { user_id, suspended: false, now }),
  );
  return { user_id, suspended: false };
}

async function requireUserId({ database }: Platform, name: string): Promise<string> {
  const user = await findUserByIdOrEmail(database, name);
  if (!user) throw new Refusal('user_not_found');
  return user.id;
}

type Suspension = { readonly user_id: string; readonly suspended: boolean; readonly now: Date };

async function setUserSuspension(
  platform: Platform,
  tx: Transaction,
  { user_id, suspended, now }: Suspension,
) {
  const user = await lockUser(tx, user_id);
  // The emptied row of a removed user remains for a while, but is no longer an account.
  if (!user || user.removed_at !== null) throw new Refusal('user_not_found');
  tx.afterCommit(() => recordUserSuspension(platform, user_id, suspended));
  if ((user.suspended_at !== null) === suspended) return;
  const subject = buildAuditSubject(user);
  if (subject.member_id !== null) await setMemberSuspension(platform, tx, subject.member_id, suspended);
  await setSuspension(tx, user_id, suspended ? now : null);
  const action = suspended ? 'auth.account_suspended' : 'auth.account_resumed';
  await recordAudit(tx, { now, actor: null, action, ...subject, detail: { user_id } });
}

/** Refuses a member who asked to be erased, because an account that is marked for deletion must not be used again. */
async function setMemberSuspension(
  platform: Platform,
  tx: Transaction,
  member_id: string,
  suspended: boolean,
) {
  const member = await findMember(tx, member_id);
  if (member?.account_status === 'pending_deletion') throw new Refusal('account_pending_deletion');
  await recordMemberSuspension(platform, tx, member_id, suspended);
}
