import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { closedObject, field } from '#platform/schema.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser, updateAccessVersion } from '../store.ts';
import { recordMfa } from '../sessions/store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { codeInput } from '../wire.ts';
import { hashRecoveryCode, consumeTotp } from './mfa-code.ts';
import { recovery_code_bytes, recovery_codes_count, formatRecoveryCode } from './recovery-codes.ts';
import { findAuthenticator, insertRecoveryCodes, enableAuthenticator } from './store.ts';

export const verifyMfa = operation({
  name: 'accounts.verifyMfa',
  title: 'Enable MFA',
  summary:
    'Enables MFA with a code from the authenticator app. Returns ten recovery codes, which are shown only once.',
  who: roles,
  input: closedObject({ code: codeInput }),
  output: {
    200: closedObject({
      message: field(Type.String(), 'A sentence for the user.', 'MFA is enabled.'),
      recovery_codes: field(
        Type.Array(Type.String(), { maxItems: recovery_codes_count }),
        'Ten codes, each of which replaces the app once.',
        ['7K2M-9QXD-4H8T', '2WNC-5RJV-8PZB'],
      ),
      warning: field(
        Type.String(),
        'What to do with the codes.',
        'Store these codes safely. They are not shown again.',
      ),
    }),
  },
  refuses: ['mfa_already_enabled', 'mfa_not_set_up', 'totp_code_wrong'],
  run: async (context, { code }) => {
    const { user_id } = context.caller;
    const guess = { what: 'code', account: user_id, user_id, address: context.request.address } as const;
    const enable = () => context.transaction((tx) => enableMfa(context, tx, code));
    const recovery_codes = await runLimitedGuess(context, guess, enable, (codes) => codes !== undefined);
    if (!recovery_codes)
      throw createFieldRefusal(
        'totp_code_wrong',
        '/code',
        'must be the current code of the authenticator app',
      );
    return {
      message: 'MFA is enabled. From now on, every login requires a code.',
      recovery_codes,
      warning:
        'Store these recovery codes where you can find them without your phone. They are never shown again, and each works once.',
    };
  },
});

async function enableMfa(context: Context, tx: Transaction, code: string): Promise<string[] | undefined> {
  const { user_id } = context.caller;
  const user = await lockUser(tx, user_id);
  const authenticator = await findAuthenticator(tx, user_id);
  if (!user || !authenticator) throw new Refusal('mfa_not_set_up');
  if (authenticator.enabled_at !== null) throw new Refusal('mfa_already_enabled');
  if (!(await consumeTotp(context, tx, user_id, authenticator, code))) return undefined;
  const codes = Array.from({ length: recovery_codes_count }, () =>
    formatRecoveryCode(randomBytes(recovery_code_bytes)),
  );
  await enableAuthenticator(tx, user_id, context.now());
  await insertRecoveryCodes(
    tx,
    user_id,
    codes.map((each) => hashRecoveryCode(context, user_id, each)),
  );
  await updateAccessVersion(tx, user_id);
  await recordMfa(tx, context.caller.session_id);
  await recordCallerAudit(context, tx, { action: 'auth.mfa_enabled', ...buildAuditSubject(user) });
  await queueNotice(context, tx, user_id, 'mfa_enabled');
  return codes;
}
