import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { closedObject } from '#platform/schema.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../passwords/passwords.ts';
import { toCanonicalEmail, ticket_seconds } from '../rules.ts';
import {
  findAccount,
  lockUnchangedUser,
  updateLastLogin,
  updatePasswordHash,
  type Account,
} from '../store.ts';
import { emailInput, loggedInWire, mfaRequiredWire, passwordInput, toWire } from '../wire.ts';
import { createClosedAccountRefusal, hasSuspendedOrganisation } from '../sessions/closed-account.ts';
import { countLogin } from '../sessions/count-login.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { recordFailedLogin } from '../sessions/record-login.ts';
import { randomBytes } from 'node:crypto';
import { insertTicket } from '../mfa/store.ts';

export const logIn = operation({
  name: 'accounts.logIn',
  summary:
    'Logs in with email address and password. Returns an access token and sets the refresh cookie or, with MFA enabled, returns a ticket for the second step.',
  who: 'anyone',
  input: closedObject({ email: emailInput, password: passwordInput }),
  output: { 200: Type.Union([loggedInWire, mfaRequiredWire]) },
  refuses: [
    'credentials_wrong',
    'account_pending_deletion',
    'account_suspended',
    'organisation_suspended',
    'network_not_allowed',
    'overloaded',
  ],
  cookies: { sets: ['refresh_token'] },
  run: (context, { email, password }) =>
    countLogin(context, 'password', async () => {
      const name = toCanonicalEmail(email);
      const found = await findAccount(context.database, name);
      const account = await authenticateAccount(context, found, { name, password });
      return logInAccount(context, account, password);
    }),
});

/** Logs in a user whose password was right, or asks for the code of MFA. */
export async function logInAccount(context: Context<never>, account: Account, password: string) {
  const new_hash = isOutdatedHash(account.password_hash) ? await hashPassword(password) : undefined;
  return context.transaction(async (tx) => {
    const login = account.mfa_enabled
      ? await startSecondStep(context, tx, account)
      : await completeLogin(context, tx, account);
    if (new_hash) await updatePasswordHash(tx, account.id, account.password_hash, new_hash);
    return login;
  });
}

/**
 * Returns an account that was found by its address or handle, if the password is right. Only a client with the right password learns that an
 * account or its organisation is suspended. Guesses at an address and at a handle are counted apart, because a common count would tell strangers
 * which two belong together. An account has at most two names, so this permits at most twice as many.
 */
export async function authenticateAccount(
  context: Context<never>,
  account: Account | undefined,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<Account> {
  const guess = {
    what: 'password',
    account: name,
    user_id: account?.id,
    address: context.request.address,
  } as const;
  const check = () => verifyPassword(account?.password_hash, password);
  const proven = await runLimitedGuess(context, guess, check, (matches) => matches);
  if (account === undefined || !proven) throw new Refusal('credentials_wrong');
  const closed = await findClosure(context, account);
  if (!closed) return account;
  const detail = { factor: 'password', reason: closed.code } as const;
  await context.transaction((tx) => recordFailedLogin(tx, { now: context.now(), user: account, detail }));
  throw closed;
}

async function findClosure({ database }: Context<never>, account: Account): Promise<Refusal | undefined> {
  if (account.suspended_at !== null) return createClosedAccountRefusal(database, account);
  return (await hasSuspendedOrganisation(database, account))
    ? new Refusal('organisation_suspended')
    : undefined;
}

async function completeLogin(context: Context<never>, tx: Transaction, account: Account) {
  const updated = await updateLastLogin(tx, account, context.now());
  if (!updated) throw createOutdatedRefusal();
  const { tokens, cookie } = await issueSession(context, tx, updated, 'password');
  const { created_at: _created, ...user } = toWire(updated);
  return reply(200, { ...tokens, user }, [cookie]);
}

async function startSecondStep(context: Context<never>, tx: Transaction, account: Account) {
  if (!(await lockUnchangedUser(tx, account))) throw createOutdatedRefusal();
  const mfa_ticket = await issueTicket(context, tx, account.id);
  return reply(200, { mfa_required: true as const, mfa_methods: ['totp' as const], mfa_ticket });
}

/** Creates the refusal for an account whose password or MFA changed after the password was checked. */
function createOutdatedRefusal(): Refusal {
  return new Refusal('credentials_wrong', {
    detail: 'The account changed during this login: log in again.',
  });
}

/** Issues a ticket of 256 random bits for the second step of a login. */
async function issueTicket(
  { now }: { readonly now: () => Date },
  tx: Transaction,
  user_id: string,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const created_at = now();
  const expires_at = new Date(created_at.getTime() + ticket_seconds * 1000);
  await insertTicket(tx, { ticket_hash: hashToken(ticket), user_id, created_at, expires_at });
  return ticket;
}
