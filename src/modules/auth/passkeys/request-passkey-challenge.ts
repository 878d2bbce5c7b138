import { Type } from 'typebox';
import { requireRecentAuthentication, type Caller, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { closedObject, field } from '#platform/schema.ts';
import { operation, type Context } from '#platform/operation.ts';
import { requireOwnUser } from '../accounts/read-me.ts';
import { challengePurposes, createChallenge, type ChallengeUse } from './challenge.ts';
import { readRelyingParty, toUserHandle } from './relying-party.ts';
import { requirePasswordAccount } from './require-password-account.ts';
import { challenge_seconds, type Passkey } from './rules.ts';
import { listUserPasskeys } from './store.ts';
import { algorithms } from './verify-passkey.ts';
import { challengeWire } from './wire.ts';

export const requestPasskeyChallenge = operation({
  name: 'auth.requestPasskeyChallenge',
  title: 'Ask for a passkey',
  summary: `Returns the options with which a browser creates or uses a passkey. The challenge in them works once, within ${challenge_seconds / 60} minutes, for this purpose and user.`,
  who: 'anyone',
  input: closedObject({
    purpose: field(
      Type.Enum(challengePurposes),
      '`log_in` needs no token. `register` and `reauthenticate` are for the user of the token.',
      'log_in',
    ),
  }),
  output: { 200: challengeWire },
  refuses: [
    'authentication_required',
    'recent_authentication_required',
    'account_without_password',
    'passkey_not_found',
  ],
  run: async (context, { purpose }) => {
    const user_id = purpose === 'log_in' ? null : requireLogin(context.caller).user_id;
    const { challenge, expires_at } = createChallenge(context, { purpose, user_id });
    return {
      public_key:
        purpose === 'register'
          ? await buildCreationOptions(context, requireLogin(context.caller), challenge)
          : await buildRequestOptions(context, { purpose, user_id }, challenge),
      expires_at: expires_at.toISOString(),
    };
  },
});

function requireLogin(caller: Caller): LoggedInCaller {
  if (caller.role === 'anonymous') throw new Refusal('authentication_required');
  return caller;
}

async function buildCreationOptions(context: Context<never>, caller: LoggedInCaller, challenge: string) {
  const { database, config, now } = context;
  requireRecentAuthentication(caller, now());
  await requirePasswordAccount(database, caller.user_id);
  const { id, email, display_name } = await requireOwnUser(database, caller);
  const { id: rp_id, name } = readRelyingParty(config);
  return {
    rp: { id: rp_id, name },
    user: { id: toUserHandle(id), name: email, displayName: display_name ?? email },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challenge_seconds * 1000,
    excludeCredentials: (await listUserPasskeys(database, id)).map(describePasskey),
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
