import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { createBodyRefusal, createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { closedObject } from '#platform/schema.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { consumeTotp } from '../mfa/mfa-code.ts';
import { findAuthenticator } from '../mfa/store.ts';
import { takePasskey } from '../passkeys/take-passkey.ts';
import { usedPasskeyInput, type UsedPasskey } from '../passkeys/wire.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { lockUnchangedUser, lockUser, type User } from '../store.ts';
import { accessTokenWire, codeInput, passwordInput, type AccessTokenWire } from '../wire.ts';
import { signAccessToken } from '../sessions/access-token.ts';
import { mfaFactors, type Factor } from '../sessions/record-login.ts';
import { computeSessionEnd } from '../sessions/session-end.ts';
import { recordAuthentication } from '../sessions/store.ts';

export const reauthenticateUser = operation({
  name: 'accounts.reauthenticateUser',
  title: 'Authenticate again',
  summary:
    'Confirms with the password, with a code from the authenticator app, or with a passkey and a challenge of the purpose `reauthenticate`, that the user is present. Returns an access token that allows changes to the account for 15 minutes.',
  who: roles,
  input: closedObject({
    password: Type.Optional(passwordInput),
    code: Type.Optional(codeInput),
    passkey: Type.Optional(usedPasskeyInput),
  }),
  output: { 200: accessTokenWire },
  refuses: [
    'password_wrong',
    'totp_code_wrong',
    'mfa_not_enabled',
    'account_without_password',
    'passkey_refused',
    'passkey_challenge_invalid',
  ],
  samples: { request: { password: 'Correct-Horse-9' } },
  run: (context, { password, code, passkey }) => {
    const proofs = [password, code, passkey].filter((each) => each !== undefined);
    if (proofs.length === 1 && password !== undefined) return proveByPassword(context, password);
    if (proofs.length === 1 && code !== undefined) return proveByCode(context, code);
    if (proofs.length === 1 && passkey !== undefined) return proveByPasskey(context, passkey);
    throw createBodyRefusal('needs one of password, code and passkey');
  },
});

async function proveByPassword(context: Context, password: string): Promise<AccessTokenWire> {
  const account = await checkOwnPassword(context, password, '/password');
  return context.transaction(async (tx) => {
    if (!(await lockUnchangedUser(tx, account))) throw createChangedRefusal();
    return renewSession(context, tx, account, 'password');
  });
}

async function proveByCode(context: Context, code: string): Promise<AccessTokenWire> {
  const { user_id } = context.caller;
  const guess = { what: 'code', account: user_id, user_id, address: context.request.address } as const;
  const prove = () => context.transaction((tx) => takeCode(context, tx, code));
  const token = await runLimitedGuess(context, guess, prove, (result) => result !== undefined);
  if (token) return token;
  throw createFieldRefusal(
    'totp_code_wrong',
    '/code',
    'must be the current code of the authenticator app, not used before',
  );
}

async function proveByPasskey(context: Context, passkey: UsedPasskey): Promise<AccessTokenWire> {
  const use = { purpose: 'reauthenticate', user_id: context.caller.user_id } as const;
  const token = await takePasskey(context, passkey, use, async (tx, user) => {
    if (user.suspended_at !== null) throw createChangedRefusal();
    return renewSession(context, tx, user, 'passkey');
  });
  if (token) return token;
  throw createFieldRefusal('passkey_refused', '/passkey', 'must be a passkey of this account');
}

/** Returns a token for a right code, or undefined for a wrong one. */
async function takeCode(
  context: Context,
  tx: Transaction,
  code: string,
): Promise<AccessTokenWire | undefined> {
  const { user_id } = context.caller;
  const user = await lockUser(tx, user_id);
  if (!user || user.suspended_at !== null) throw createChangedRefusal();
  const authenticator = await findAuthenticator(tx, user_id);
  if (!authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_not_enabled');
  if (!(await consumeTotp(context, tx, user_id, authenticator, code))) return undefined;
  return renewSession(context, tx, user, 'code');
}

/** Only the new token counts as recently authenticated. A stolen copy of the old one does not. */
async function renewSession(
  context: Context,
  tx: Transaction,
  user: Pick<User, 'id' | 'role' | 'linked_entity_id'>,
  factor: Factor,
): Promise<AccessTokenWire> {
  const now = context.now();
  const { session_id: id, user_id } = context.caller;
  const proof = { id, user_id, now, by_mfa: mfaFactors.has(factor) };
  const session = await recordAuthentication(tx, proof);
  if (!session) throw createEndedRefusal();
  const ends_at = computeSessionEnd(context.config, session.created_at);
  if (ends_at <= now) throw createEndedRefusal();
  const subject = buildAuditSubject(user);
  await recordCallerAudit(context, tx, { action: 'auth.reauthenticated', ...subject, detail: { factor } });
  const { by_mfa } = session;
  return signAccessToken(context, user, { id, authenticated_at: now, ends_at, by_mfa });
}

function createEndedRefusal(): Refusal {
  return new Refusal('token_invalid', { detail: 'The session of this token has ended.' });
}

function createChangedRefusal(): Refusal {
  return new Refusal('token_invalid', { detail: 'The account has just changed. Log in again.' });
}
