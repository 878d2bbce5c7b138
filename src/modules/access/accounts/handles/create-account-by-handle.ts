import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { createBodyRefusal, createFieldRefusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { insertMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { checkAddressIsFree } from '../accounts/change-email.ts';
import { checkNewPassword, checkPasswordWords } from '../accounts/new-account.ts';
import { queueEmailChange } from '../accounts/send-verification.ts';
import { runLimitedGuess, runLimitedMail } from '../guess-limits.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { consumeChallenge } from '../passkeys/challenge.ts';
import { deriveUserId } from '../passkeys/relying-party.ts';
import { insertPasskey } from '../passkeys/store.ts';
import { verifyRegistration, type VerifiedRegistration } from '../passkeys/verify-passkey.ts';
import { createdPasskeyInput, type CreatedPasskey } from '../passkeys/wire.ts';
import { hashPassword, no_password } from '../passwords/passwords.ts';
import { toCanonicalEmail } from '../rules.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { insertUser, type User } from '../store.ts';
import { accessTokenFields, emailInput, passwordInput, registeredUserWire, toWire } from '../wire.ts';
import { computeHandleSkeleton, isReservedHandle } from './rules.ts';
import { handleInput } from './wire.ts';

export const createAccountByHandle = operation({
  name: 'accounts.createAccountByHandle',
  title: 'Create an account by choosing a handle',
  summary:
    'Creates the account of a member who chooses a handle, with a password or with a passkey for a challenge of the purpose `create_account`, and logs them in. An email address is optional; the account has it once it is verified. Without one, a forgotten password cannot be replaced.',
  who: 'anyone',
  input: closedObject({
    handle: handleInput,
    password: Type.Optional(passwordInput),
    passkey: Type.Optional(createdPasskeyInput),
    email: Type.Optional(emailInput),
  }),
  output: {
    201: closedObject({
      ...accessTokenFields,
      user: closedObject({ ...registeredUserWire.properties, handle: handleInput }),
      verification_email_sent: field(Type.Boolean(), 'Whether an email address was given.', false),
    }),
  },
  location: () => '/auth/me',
  refuses: [
    'handle_taken',
    'email_taken',
    'password_too_weak',
    'password_too_common',
    'passkey_refused',
    'passkey_challenge_invalid',
    'passkey_known',
    'overloaded',
    'too_many_requests',
  ],
  samples: { request: { handle: 'ada-lind', password: 'Correct-Horse-9' } },
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  checks: [
    ({ password }) => (password === undefined ? undefined : checkNewPassword(password, '/password')),
    ({ password, handle, email }) =>
      password === undefined ? undefined : checkPasswordWords(password, [handle, email]),
    ({ password, passkey }) => {
      if ((password === undefined) === (passkey === undefined))
        throw createBodyRefusal('needs either password or passkey');
    },
  ],
  run: async (context, { handle, password, passkey, email }) => {
    if (isReservedHandle(handle))
      throw createFieldRefusal('handle_taken', '/handle', 'is kept for the service. Choose another one');
    const login = await prepareLogin(context, password, passkey);
    const address = email === undefined ? undefined : toCanonicalEmail(email);
    const { address: from } = context.request;
    const creation = { what: 'handle', account: from, user_id: undefined, address: from } as const;
    const create = () => context.transaction((tx) => createAccount(context, tx, { handle, login, address }));
    const createWithMail =
      address === undefined ? create : () => runLimitedMail(context, address, 'others', create);
    // Every account counts, so that one network cannot take handles without end: unlike an email address, a handle needs no proof.
    return runLimitedGuess(context, creation, createWithMail, () => false);
  },
});

/** By what the new user will log in: the hash of a password, or a passkey that is verified. */
type Login = {
  readonly user_id: string;
  readonly password_hash: string;
  readonly passkey?: VerifiedRegistration;
};

/** The checks of the operation have found one of both. */
async function prepareLogin(
  context: Context<never>,
  password: string | undefined,
  passkey: CreatedPasskey | undefined,
): Promise<Login> {
  if (password !== undefined) return { user_id: randomUUID(), password_hash: await hashPassword(password) };
  const use = { purpose: 'create_account', user_id: null } as const;
  const verified = await verifyRegistration(context, passkey!, use);
  if (!verified)
    throw createFieldRefusal('passkey_refused', '/passkey', 'must be made by this page, for this account');
  const user_id = deriveUserId(context, verified.challenge.challenge);
  return { user_id, password_hash: no_password, passkey: verified };
}

type Choice = { readonly handle: string; readonly login: Login; readonly address: string | undefined };

async function createAccount(context: Context<never>, tx: Transaction, { handle, login, address }: Choice) {
  // First, because a repeated answer would create the account of the first one again.
  if (login.passkey) await consumeChallenge(tx, login.passkey.challenge);
  const user = await insertHandleAccount(context, tx, handle, login);
  const actor = { user_id: user.id, role: user.role };
  await recordAudit(tx, {
    now: context.now(),
    actor,
    action: 'auth.registered',
    ...buildAuditSubject(user),
  });
  if (login.passkey) await storeFirstPasskey(context, tx, user.id, login.passkey);
  if (address !== undefined) {
    await checkAddressIsFree(tx, address);
    await queueEmailChange(context, tx, { user_id: user.id, email: address });
  }
  const { tokens, cookie } = await issueSession(context, tx, user);
  const { linked_entity_id: _linked, last_login: _login, ...fields } = toWire(user);
  const verification_email_sent = address !== undefined;
  return reply(201, { ...tokens, user: { ...fields, handle }, verification_email_sent }, [cookie]);
}

async function insertHandleAccount(
  context: Context<never>,
  tx: Transaction,
  handle: string,
  { user_id, password_hash }: Login,
): Promise<User> {
  const now = context.now();
  const member_id = randomUUID();
  await insertMember(tx, { id: member_id, display_name: handle, now });
  const user: User = {
    id: user_id,
    email: null,
    handle,
    role: 'member',
    linked_entity_id: member_id,
    created_at: now,
    last_login: now,
  };
  const handle_skeleton = computeHandleSkeleton(handle);
  await insertUser(tx, { ...user, password_hash, member_id, org_id: null, handle_skeleton });
  return user;
}

async function storeFirstPasskey(
  context: Context<never>,
  tx: Transaction,
  user_id: string,
  { challenge: _used, ...verified }: VerifiedRegistration,
): Promise<void> {
  const created_at = context.now();
  const own = { id: randomUUID(), user_id, name: first_passkey_name, created_at, last_used_at: null };
  await insertPasskey(tx, { ...own, ...verified });
}

/** The user can give it a better name later. */
const first_passkey_name = 'First passkey';
