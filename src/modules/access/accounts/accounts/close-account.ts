import { hashToken } from '#platform/security/hash-token.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { recordRevokedSessions, recordUserSuspension } from '../sessions/watch-sessions.ts';
import { endAccountAccess } from './store-closing.ts';
import { setSuspension, lockUser, markMailedTokenUsed } from '../store.ts';

/**
 * Closes the account of a member who asked to be erased. Every session ends, and the member can neither log in nor refresh a session. This
 * process refuses the account's access tokens as soon as the transaction commits.
 */
export async function closeAccount(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const now = services.now();
  const session_ids = await endAccountAccess(tx, member_id, now);
  recordRevokedSessions(services, tx, session_ids, now);
}

/** Opens an account that {@link closeAccount} closed: its user can log in again. Its old sessions stay ended. Hold the user's lock. */
export async function reopenAccount(
  services: Pick<Services, 'memory'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  await setSuspension(tx, user_id, null);
  tx.afterCommit(() => recordUserSuspension(services, user_id, false));
}

/** Uses up the token of an email that confirmed a deletion, and locks its user. Undefined if it is unknown, used or expired. */
export async function takeCancellationToken(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<{ readonly user_id: string; readonly member_id: string } | undefined> {
  const presented = { token_hash: hashToken(token), purpose: 'cancel_deletion', now } as const;
  const holder = await markMailedTokenUsed(tx, presented);
  const user = holder && (await lockUser(tx, holder.user_id));
  if (user?.role !== 'member' || user.linked_entity_id === null) return undefined;
  return { user_id: user.id, member_id: user.linked_entity_id };
}
