import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { forgetWrongGuesses } from '../guess-limits.ts';
import { hashNewPassword } from '../accounts/new-account.ts';
import { hashToken } from '../secret-token.ts';
import { queueNotice } from '../send-notice.ts';
import { deleteTickets } from '../mfa/store.ts';
import { updateSessionsRevoked } from '../sessions/store.ts';
import {
  findTokenHolder,
  lockUser,
  updateMailedTokenUsed,
  updatePassword,
  updateResetTokensUsed,
  type PresentedToken,
} from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { recordRevokedSession } from '../sessions/watch-sessions.ts';
import { passwordInput } from '../wire.ts';

export const resetPassword = operation({
  name: 'auth.resetPassword',
  summary:
    'Sets another password by the mailed token, which works once, for 30 minutes. Ends every session of the user and every other such token.',
  who: 'anyone',
  input: Type.Object(
    { token: Type.String({ maxLength: 200 }), new_password: passwordInput },
    { additionalProperties: false },
  ),
  output: { 204: null },
  refuses: ['reset_token_invalid', 'password_too_weak', 'password_too_common', 'overloaded'],
  run: async (context, { token, new_password }) => {
    const now = context.now();
    const presented = { token_hash: hashToken(token), purpose: 'reset_password', now } as const;
    // First, because a hash costs tens of milliseconds, which nobody is to have for a made-up token.
    const holder = await findTokenHolder(context.database, presented);
    if (!holder) throw new Refusal('reset_token_invalid');
    const password_hash = await hashNewPassword(new_password, '/new_password');
    const change = { presented, user_id: holder.user_id, password_hash };
    const email = await context.transaction((tx) => changePassword(context, tx, change));
    const { address } = context.request;
    await forgetWrongGuesses(context, { what: 'password', account: email, user_id: holder.user_id, address });
    return null;
  },
});

type Change = {
  readonly presented: PresentedToken;
  readonly user_id: string;
  readonly password_hash: string;
};

/** The user is locked first: a login that has proven the old password starts its session before, and loses it here, or not at all. */
async function changePassword(
  context: Context<never>,
  tx: Transaction,
  { presented, user_id, password_hash }: Change,
) {
  const { now } = presented;
  const user = await lockUser(tx, user_id);
  if (!user || !(await updateMailedTokenUsed(tx, presented))) throw new Refusal('reset_token_invalid');
  await updatePassword(tx, user_id, password_hash);
  await updateResetTokensUsed(tx, user_id, now);
  await deleteTickets(tx, user_id);
  const ended = await updateSessionsRevoked(tx, user_id, now);
  tx.afterCommit(() => ended.forEach((id) => recordRevokedSession(context, id, now)));
  const detail = { sessions_ended: ended.length };
  await recordAudit(tx, {
    now,
    actor_user_id: user_id,
    action: 'auth.password_reset',
    ...buildAuditSubject(user),
    detail,
  });
  await queueNotice(context, tx, user_id, 'password_reset');
  return user.email;
}
