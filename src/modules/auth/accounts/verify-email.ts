import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { recordEmailVerified } from '#modules/members';
import { hashToken } from '../secret-token.ts';
import { updateEmailVerified, updateMailedTokenUsed } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';

export const verifyEmail = operation({
  name: 'auth.verifyEmail',
  summary:
    'Confirms an e-mail address by the token that was mailed to it; the token works once, for 24 hours.',
  who: 'anyone',
  input: Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false }),
  output: { 204: null },
  refuses: ['verification_token_invalid'],
  run: (context, { token }) =>
    context.transaction(async (tx) => {
      const now = context.now();
      const used = await updateMailedTokenUsed(tx, {
        token_hash: hashToken(token),
        purpose: 'verify_email',
        now,
      });
      if (!used) throw new Refusal('verification_token_invalid');
      const subject = buildAuditSubject(await updateEmailVerified(tx, used.user_id, now));
      const { member_id } = subject;
      await recordAudit(tx, { now, actor_user_id: used.user_id, action: 'auth.email_verified', ...subject });
      if (member_id !== null) await recordEmailVerified(context, tx, member_id);
      return null;
    }),
});
