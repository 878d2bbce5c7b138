import { roles } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { closedObject } from '#platform/schema.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser, updateAccessVersion } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { codeInput } from '../wire.ts';
import { endMfaSessions } from '../sessions/end-mfa-sessions.ts';
import { consumeTotp } from './mfa-code.ts';
import { deleteMfa, findAuthenticator } from './store.ts';

export const disableMfa = operation({
  name: 'accounts.disableMfa',
  summary:
    'Disables MFA with a code from the authenticator app, and deletes the recovery codes. Ends the sessions in which a platform administrator passed MFA.',
  who: roles,
  input: closedObject({ code: codeInput }),
  output: { 204: null },
  refuses: ['mfa_not_enabled', 'totp_code_wrong'],
  run: async (context, { code }) => {
    const { user_id } = context.caller;
    const guess = { what: 'code', account: user_id, user_id, address: context.request.address } as const;
    const disable = () => context.transaction((tx) => removeMfa(context, tx, code));
    if (!(await runLimitedGuess(context, guess, disable, (disabled) => disabled)))
      throw createFieldRefusal(
        'totp_code_wrong',
        '/code',
        'must be the current code of the authenticator app, not used before',
      );
    return null;
  },
});

async function removeMfa(context: Context, tx: Transaction, code: string): Promise<boolean> {
  const { user_id } = context.caller;
  const user = await lockUser(tx, user_id);
  const authenticator = await findAuthenticator(tx, user_id);
  if (!user || !authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_not_enabled');
  if (!(await consumeTotp(context, tx, user_id, authenticator, code))) return false;
  await deleteMfa(tx, user_id);
  await endMfaSessions(context, tx, user);
  await updateAccessVersion(tx, user_id);
  await recordCallerAudit(context, tx, { action: 'auth.mfa_disabled', ...buildAuditSubject(user) });
  await queueNotice(context, tx, user_id, 'mfa_disabled');
  return true;
}
