import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import { recordEmailVerified } from '#modules/members';
import { closedObject } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { hashToken } from '../secret-token.ts';
import { updateEmailVerified, updateMailedTokenUsed } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';

export const verifyEmail = operation({
  name: 'auth.verifyEmail',
  summary:
    'Confirms an e-mail address with the token that was mailed to it. The token works once, within 24 hours.',
  who: 'anyone',
  input: closedObject({ token: Type.String({ maxLength: 200 }) }),
  output: { 204: null },
  refuses: ['verification_token_invalid'],
  run: (context, { token }) =>
    context.transaction(async (tx) => {
      const now = context.now();
      const holder = await updateMailedTokenUsed(tx, {
        token_hash: hashToken(token),
        purpose: 'verify_email',
        now,
      });
      if (!holder) throw new Refusal('verification_token_invalid');
      const user = await updateEmailVerified(tx, holder.user_id, now);
      const subject = buildAuditSubject(user);
      const { member_id } = subject;
      await recordAudit(tx, {
        now,
        actor: { user_id: user.id, role: user.role },
        action: 'auth.email_verified',
        ...subject,
      });
      if (member_id !== null) await recordEmailVerified(context, tx, member_id);
      return null;
    }),
});
