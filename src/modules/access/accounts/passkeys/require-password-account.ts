import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import { isSsoAccount } from '../passwords/passwords.ts';
import { findAccountById } from '../store.ts';

/**
 * Requires that the account is not one of single sign-on. Such an account gets no passkey, because its access must end when the identity
 * provider ends it.
 *
 * @throws Refusal `account_without_password`, `token_invalid`.
 */
export async function requirePasswordAccount(db: Reader, user_id: string): Promise<void> {
  const account = await findAccountById(db, user_id);
  if (!account) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  if (isSsoAccount(account)) throw new Refusal('account_without_password');
}
