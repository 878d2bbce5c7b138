import { createFieldRefusal, Refusal, type FieldError } from '#lib/refusal.ts';
import type { Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { toLoginName } from '../rules.ts';
import { findAccountById, type Account } from '../store.ts';
import { no_password, verifyPassword } from './passwords.ts';

/**
 * Checks the password of the user who is logged in, under the same limits on guesses as a login. A wrong password is 422, because 401 would
 * mean that the access token is invalid.
 *
 * @throws Refusal `password_wrong`, `account_without_password`, `too_many_requests`, `overloaded`, `token_invalid`.
 */
export async function checkOwnPassword(
  context: Context,
  password: string,
  pointer: FieldError['pointer'],
): Promise<Account> {
  const { user_id } = context.caller;
  const account = await findAccountById(context.database, user_id);
  if (!account) throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  if (account.password_hash === no_password) throw new Refusal('account_without_password');
  const { address } = context.request;
  const guess = { what: 'password', account: toLoginName(account), user_id, address } as const;
  const check = () => verifyPassword(account.password_hash, password);
  if (!(await runLimitedGuess(context, guess, check, (matches) => matches)))
    throw createFieldRefusal('password_wrong', pointer, 'must be the password of your account');
  return account;
}
