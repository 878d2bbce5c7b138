import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { recordRevokedSession } from '../sessions/watch-sessions.ts';
import { updateAccountClosed } from './store-closing.ts';

/**
 * Closes the account of a member who wants to be erased: every session ends, and no way in (password, second factor, refresh) opens it
 * again. This process refuses its access tokens as soon as the transaction commits.
 */
export async function closeAccount(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const now = services.now();
  const ended = await updateAccountClosed(tx, member_id, now);
  tx.afterCommit(() => ended.forEach((id) => recordRevokedSession(services, id, now)));
}
