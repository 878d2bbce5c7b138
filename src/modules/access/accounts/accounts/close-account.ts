import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { recordRevokedSession } from '../sessions/watch-sessions.ts';
import { endAccountAccess } from './store-closing.ts';

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
  tx.afterCommit(() => session_ids.forEach((id) => recordRevokedSession(services, id, now)));
}
