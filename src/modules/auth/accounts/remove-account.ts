import type { Transaction } from '#platform/database/database.ts';
import { no_password } from '../passwords/passwords.ts';
import { updateAccountRemoved } from './store-removal.ts';

/**
 * Takes an organisation's user out of the service: e-mail, password, second factor, addresses and devices are gone at once, and with them
 * every way in. The empty row stays until no access token can live, so that other processes learn to refuse them. @returns the sessions
 * that ended; give each to `noteRevoked`, and the user to `noteSuspended`, after the commit.
 */
export function removeAccount(tx: Transaction, user_id: string, now: Date): Promise<readonly string[]> {
  return updateAccountRemoved(tx, { user_id, password_hash: no_password, now });
}
