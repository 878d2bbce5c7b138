import { randomUUID } from 'node:crypto';
import { roles } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser } from '../store.ts';
import { consumeChallenge } from './challenge.ts';
import { requirePasswordAccount } from './require-password-account.ts';
import { passkeyResource, type Passkey } from './resource.ts';
import { passkeys_max } from './rules.ts';
import { insertPasskey, listUserPasskeys } from './store.ts';
import { verifyRegistration, type VerifiedRegistration } from './verify-passkey.ts';
import { createdPasskeyInput } from './wire.ts';

export const addPasskey = operation({
  name: 'accounts.addPasskey',
  summary:
    'Adds a passkey that the browser has created for a challenge of the purpose `register`. A passkey logs in without a password and counts as both factors. The owner is informed by email.',
  who: roles,
  idempotent: true,
  input: closedObject({ name: passkeyResource.fields.name.schema, passkey: createdPasskeyInput }),
  output: { 201: passkeyResource.wire },
  refuses: [
    'account_without_password',
    'passkey_challenge_invalid',
    'passkey_refused',
    'passkey_known',
    'passkeys_full',
  ],
  location: () => '/auth/passkeys',
  run: async (context, { name, passkey }) => {
    const { user_id } = context.caller;
    await requirePasswordAccount(context.database, user_id);
    const verified = await verifyRegistration(context, passkey, { purpose: 'register', user_id });
    if (!verified)
      throw createFieldRefusal('passkey_refused', '/passkey', 'must be made by this page, for this account');
    return context.transaction((tx) => storePasskey(context, tx, name.trim(), verified));
  },
});

async function storePasskey(
  context: Context,
  tx: Transaction,
  name: string,
  { challenge, ...verified }: VerifiedRegistration,
) {
  const { user_id } = context.caller;
  const user = await lockUser(tx, user_id);
  if (!user || user.suspended_at !== null)
    throw new Refusal('token_invalid', { detail: 'The account has just changed. Log in again.' });
  await consumeChallenge(tx, challenge);
  if ((await listUserPasskeys(tx, user_id)).length >= passkeys_max) throw new Refusal('passkeys_full');
  const id = randomUUID();
  const created_at = context.now();
  const passkey: Passkey = { id, user_id, name, created_at, last_used_at: null, ...verified };
  await insertPasskey(tx, passkey);
  const detail = { passkey_id: id };
  await recordCallerAudit(context, tx, { action: 'auth.passkey_added', ...buildAuditSubject(user), detail });
  await queueNotice(context, tx, user_id, 'passkey_added');
  return reply(201, passkeyResource.toWire(passkey));
}
