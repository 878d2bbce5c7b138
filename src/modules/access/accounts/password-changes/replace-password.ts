import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { deleteTickets } from '../mfa/store.ts';
import { revokeSessions } from '../sessions/store.ts';
import { recordRevokedSessions } from '../sessions/watch-sessions.ts';
import { markMailedTokensUsed, updatePassword } from '../store.ts';

type NewPassword = {
  readonly user_id: string;
  readonly password_hash: string;
  /** The session that remains: that of the user who changes the password. */
  readonly kept_session_id?: string;
};

/**
 * Replaces a user's password. Ends the other sessions and unfinished logins, and invalidates emailed links, because all of them may belong to a
 * person who knew the old password. The caller must hold the user's lock.
 *
 * @returns how many sessions were ended.
 */
export async function replacePassword(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  { user_id, password_hash, kept_session_id }: NewPassword,
): Promise<number> {
  const now = services.now();
  await updatePassword(tx, { id: user_id, password_hash, now });
  await markMailedTokensUsed(tx, user_id, ['reset_password', 'change_email'], now);
  await deleteTickets(tx, user_id);
  const session_ids = await revokeSessions(tx, user_id, now, kept_session_id);
  recordRevokedSessions(services, tx, session_ids, now);
  return session_ids.length;
}
