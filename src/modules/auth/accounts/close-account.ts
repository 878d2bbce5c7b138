import type { Transaction } from '#platform/database/database.ts';
import { updateAccountClosed } from './store-closing.ts';

/**
 * Closes the account of a member who wants to be erased: every session ends, and no way in (password, second factor, refresh) opens it
 * again. @returns the sessions that ended; give each to `noteRevoked` after the commit, so that their tokens die at once.
 */
export function closeAccount(tx: Transaction, member_id: string, now: Date): Promise<readonly string[]> {
  return updateAccountClosed(tx, member_id, now);
}
