import { Type } from 'typebox';
import { requireRecentAuthentication, type Caller, type LoggedInCaller } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { closedObject, field } from '#platform/schema.ts';
import { operation, type Context } from '#platform/operation.ts';
import { requireOwnUser } from '../accounts/read-me.ts';
import { challengePurposes, createChallenge, type ChallengeUse } from '../passkeys/challenge.ts';
import { handleInput } from '../handles/wire.ts';
import { toLoginName } from '../rules.ts';
import { deriveUserId, readRelyingParty, toUserHandle } from '../passkeys/relying-party.ts';
import { requirePasswordAccount } from '../passkeys/require-password-account.ts';
import type { Passkey } from '../passkeys/resource.ts';
import { challenge_seconds } from '../passkeys/rules.ts';
import { listUserPasskeys } from '../passkeys/store.ts';
import { algorithms } from '../passkeys/verify-passkey.ts';
import { challengeWire } from '../passkeys/wire.ts';

export const requestPasskeyChallenge = operation({
  name: 'accounts.requestPasskeyChallenge',
  title: 'Ask for a passkey',
  summary: `Returns the options with which a browser creates or uses a passkey. The challenge in them works once, within ${challenge_seconds / 60} minutes, for this purpose and user.`,
  who: 'anyone',
  input: closedObject({
    purpose: field(
      Type.Enum(challengePurposes),
      '`log_in` and `create_account` need no token. `register` and `reauthenticate` are for the user of the token.',
      'log_in',
    ),
    handle: Type.Optional(
      field(handleInput, 'The handle of the new account, which `create_account` needs.', 'ada-lind'),
    ),
  }),
  output: { 200: challengeWire },
  refuses: [
    'authentication_required',
    'recent_authentication_required',
    'account_without_password',
    'passkey_not_found',
  ],
  checks: [
    ({ purpose, handle }) => {
      if (purpose === 'create_account' && handle === undefined)
        throw createFieldRefusal('field_invalid', '/handle', 'is required for the purpose create_account');
    },
  ],
  run: async (context, { purpose, handle }) => {
    const isStranger = purpose === 'log_in' || purpose === 'create_account';
    const use = { purpose, user_id: isStranger ? null : requireLogin(context.caller).user_id };
    const { challenge, expires_at } = createChallenge(context, use);
    return {
      public_key: await buildOptions(context, use, challenge, handle),
      expires_at: expires_at.toISOString(),
    };
  },
});

async function buildOptions(context: Context<never>, use: ChallengeUse, challenge: string, handle = '') {
  if (use.purpose === 'register')
    return buildOwnCreationOptions(context, requireLogin(context.caller), challenge);
  if (use.purpose !== 'create_account') return buildRequestOptions(context, use, challenge);
  const user = { id: deriveUserId(context, challenge), name: handle, displayName: handle };
  return buildCreationOptions(context, { challenge, user, passkeys: [] });
}

function requireLogin(caller: Caller): LoggedInCaller {
  if (caller.role === 'anonymous') throw new Refusal('authentication_required');
  return caller;
}

async function buildOwnCreationOptions(context: Context<never>, caller: LoggedInCaller, challenge: string) {
  const { database, now } = context;
  requireRecentAuthentication(caller, now());
  await requirePasswordAccount(database, caller.user_id);
  const own = await requireOwnUser(database, caller);
  const name = toLoginName(own);
  const user = { id: own.id, name, displayName: own.display_name ?? name };
  return buildCreationOptions(context, {
    challenge,
    user,
    passkeys: await listUserPasskeys(database, own.id),
  });
}

type Creation = {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  /** Those that the account has already. */
  readonly passkeys: readonly Passkey[];
};

function buildCreationOptions({ config }: Context<never>, { challenge, user, passkeys }: Creation) {
  const { id: rp_id, name } = readRelyingParty(config);
  return {
    rp: { id: rp_id, name },
    user: { ...user, id: toUserHandle(user.id) },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challenge_seconds * 1000,
    excludeCredentials: passkeys.map(describePasskey),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
}

async function buildRequestOptions(
  { database, config }: Context<never>,
  { user_id }: ChallengeUse,
  challenge: string,
) {
  const passkeys = user_id === null ? [] : await listUserPasskeys(database, user_id);
  if (user_id !== null && passkeys.length === 0) throw new Refusal('passkey_not_found');
  return {
    challenge,
    timeout: challenge_seconds * 1000,
    rpId: readRelyingParty(config).id,
    allowCredentials: passkeys.map(describePasskey),
    userVerification: 'required' as const,
  };
}

function describePasskey({ credential_id, transports }: Passkey) {
  return {
    type: 'public-key' as const,
    id: credential_id.toString('base64url'),
    transports: [...transports],
  };
}
