import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { closedObject, field } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { checkNewPassword } from '../accounts/new-account.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser } from '../store.ts';
import { passwordInput } from '../wire.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { replacePassword } from './replace-password.ts';

export const changePassword = operation({
  name: 'accounts.changePassword',
  summary:
    'Sets a new password in exchange for the current one. Ends all other sessions and invalidates emailed links.',
  who: roles,
  input: closedObject({
    current_password: field(passwordInput, 'The password until now.', 'Correct-Horse-9'),
    new_password: passwordInput,
  }),
  output: { 204: null },
  refuses: ['password_wrong', 'password_too_weak', 'password_too_common', 'account_without_password'],
  checks: [({ new_password }) => checkNewPassword(new_password, '/new_password')],
  run: async (context, { current_password, new_password }) => {
    const account = await checkOwnPassword(context, current_password, '/current_password');
    const password_hash = await hashPassword(new_password);
    return context.transaction(async (tx) => {
      const { user_id, session_id } = context.caller;
      const user = await lockUser(tx, user_id);
      if (user?.access_version !== account.access_version || user.suspended_at !== null)
        throw new Refusal('token_invalid', { detail: 'The account has just changed. Log in again.' });
      const change = { user_id, password_hash, kept_session_id: session_id };
      const sessions_ended = await replacePassword(context, tx, change);
      const subject = buildAuditSubject(user);
      const detail = { sessions_ended };
      await recordCallerAudit(context, tx, { action: 'auth.password_changed', ...subject, detail });
      await queueNotice(context, tx, user_id, 'password_changed');
      return null;
    });
  },
});
