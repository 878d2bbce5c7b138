import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { operation, reply } from '#platform/operation.ts';
import { issueSession } from './issue-session.ts';
import { throttled } from './login-throttle.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { canonicalEmail } from './rules.ts';
import { findAccount, updateLastLogin, updatePasswordHash, type Account } from './store.ts';
import { accessTokenFields, emailInput, loggedInUserWire, passwordInput, toWire } from './wire.ts';

export const logIn = operation({
  name: 'auth.logIn',
  summary: 'Signs in with e-mail and password: an access token, and the refresh token as a cookie.',
  who: 'anyone',
  input: Type.Object({ email: emailInput, password: passwordInput }, { additionalProperties: false }),
  output: {
    200: Type.Object({ ...accessTokenFields, user: loggedInUserWire }, { additionalProperties: false }),
  },
  refuses: ['credentials_wrong', 'account_suspended', 'overloaded'],
  run: async (context, { email, password }) => {
    const account = await provenAccount(context, canonicalEmail(email), password, context.request.address);
    if (isOutdated(account.password_hash)) await rehash(context, account, password);
    return context.transaction(async (tx) => {
      const updated = await updateLastLogin(tx, account.id, context.now());
      if (!updated) throw new Refusal('account_suspended');
      const { tokens, cookie } = await issueSession(context, tx, updated);
      const { created_at: _created, ...user } = toWire(updated);
      return reply(200, { ...tokens, user }, [cookie]);
    });
  },
});

/** The account of an address and its password. That it is suspended is told to nobody who lacks the password. */
async function provenAccount(
  platform: Platform,
  email: string,
  password: string,
  address: string,
): Promise<Account> {
  const account = await findAccount(platform.database, email);
  const proven = await throttled(platform, `${address} ${email}`, () =>
    verifyPassword(account?.password_hash, password),
  );
  if (account === undefined || !proven) throw new Refusal('credentials_wrong');
  if (account.suspended_at !== null) throw new Refusal('account_suspended');
  return account;
}

async function rehash(
  { database }: Platform,
  { id, password_hash }: Account,
  password: string,
): Promise<void> {
  await updatePasswordHash(database, id, password_hash, await hashPassword(password));
}
