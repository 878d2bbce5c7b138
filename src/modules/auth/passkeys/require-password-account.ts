import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import { no_password } from '../passwords/passwords.ts';
import { findAccountById } from '../store.ts';

/**
 * Requires that the account has a password. An account of single sign-on gets no passkey, because its access must end when the identity
 * provider ends it.
 *
 * @throws Refusal `account_without_password`, `token_invalid`.
 */
export async function requirePasswordAccount(db: Reader, user_id: string): Promise<void> {
  const account = await findAccountById(db, user_id);
  if (!account) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  if (account.password_hash === no_password) throw new Refusal('account_without_password');
}
