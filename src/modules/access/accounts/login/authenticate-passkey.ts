import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { createClosedAccountRefusal } from '../sessions/closed-account.ts';
import { countLogin } from '../sessions/count-login.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { updateLastLogin, type LockedUser } from '../store.ts';
import { loggedInWire, toWire } from '../wire.ts';
import { takePasskey } from '../passkeys/take-passkey.ts';
import { usedPasskeyInput, type UsedPasskey } from '../passkeys/wire.ts';

export const authenticatePasskey = operation({
  name: 'accounts.authenticatePasskey',
  title: 'Log in with a passkey',
  summary:
    'Logs in with a passkey and a challenge of the purpose `log_in`. No password and no code is asked for. Returns an access token and sets the refresh cookie.',
  who: 'anyone',
  input: closedObject({ passkey: usedPasskeyInput }),
  output: { 200: loggedInWire },
  refuses: [
    'passkey_wrong',
    'passkey_challenge_invalid',
    'account_pending_deletion',
    'account_suspended',
    'organisation_suspended',
    'network_not_allowed',
  ],
  cookies: { sets: ['refresh_token'] },
  run: (context, { passkey }) => countLogin(context, 'passkey', () => logInByPasskey(context, passkey)),
});

async function logInByPasskey(context: Context<never>, passkey: UsedPasskey) {
  const use = { purpose: 'log_in', user_id: null } as const;
  const login = await takePasskey(context, passkey, use, (tx, user) => completeLogin(context, tx, user));
  if (!login) throw new Refusal('passkey_wrong');
  return login;
}

async function completeLogin(context: Context<never>, tx: Transaction, user: LockedUser) {
  if (user.suspended_at !== null) throw await createClosedAccountRefusal(tx, user);
  const updated = await updateLastLogin(tx, user, context.now());
  if (!updated) throw new Refusal('account_suspended');
  const { tokens, cookie } = await issueSession(context, tx, updated, 'passkey');
  const { created_at: _created, ...userFields } = toWire(updated);
  return reply(200, { ...tokens, user: userFields }, [cookie]);
}
