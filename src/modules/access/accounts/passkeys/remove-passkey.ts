import { Type } from 'typebox';
import { findLinkedEntityId, roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { queueNotice } from '../send-notice.ts';
import { endMfaSessions } from '../sessions/end-mfa-sessions.ts';
import { no_password } from '../passwords/passwords.ts';
import { findAccountById, lockUser } from '../store.ts';
import { deletePasskey, listUserPasskeys } from './store.ts';

export const removePasskey = operation({
  name: 'accounts.removePasskey',
  summary:
    'Removes a passkey of the user, which then no longer logs in. Devices that are logged in stay logged in, except where a platform administrator passed MFA. The owner is informed by email.',
  who: roles,
  input: Type.Object({ passkey_id: uuid }),
  output: { 204: null },
  refuses: ['passkey_not_found', 'passkey_needed'],
  run: async (context, { passkey_id: id }) => {
    const { caller } = context;
    const { user_id, role } = caller;
    await context.transaction(async (tx) => {
      // Two passkeys that are removed at the same time must not both count as one of several.
      await lockUser(tx, user_id);
      if ((await deletePasskey(tx, { id, user_id })) === 0) throw new Refusal('passkey_not_found');
      await requireOtherLogin(tx, user_id);
      await endMfaSessions(context, tx, { id: user_id, role });
      const subject = buildAuditSubject({ role, linked_entity_id: findLinkedEntityId(caller) });
      const detail = { passkey_id: id };
      await recordCallerAudit(context, tx, { action: 'auth.passkey_removed', ...subject, detail });
      await queueNotice(context, tx, user_id, 'passkey_removed');
    });
    return null;
  },
});

/** An account without a password needs a passkey. @throws Refusal `passkey_needed`. */
async function requireOtherLogin(tx: Transaction, user_id: string): Promise<void> {
  const account = await findAccountById(tx, user_id);
  if (account?.password_hash === no_password && (await listUserPasskeys(tx, user_id)).length === 0)
    throw new Refusal('passkey_needed');
}
