import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { forgetWrongGuesses } from '../guess-limits.ts';
import { checkNewPassword } from '../accounts/new-account.ts';
import { isWronglyClaimed, replaceWrongClaim } from '../accounts/replace-wrong-claim.ts';
import { queueNotice } from '../send-notice.ts';
import {
  findAccountById,
  findTokenHolder,
  lockUser,
  markMailedTokenUsed,
  type PresentedToken,
  markEmailVerified,
  type LockedUser,
} from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { passwordInput } from '../wire.ts';
import { hashPassword, isSsoAccount } from '../passwords/passwords.ts';
import { listLoginNames } from '../rules.ts';
import { replacePassword } from './replace-password.ts';
import { withdrawEverything } from '#modules/people/consent';
import { recordEmailVerified } from '#modules/people/members';
import type { Services } from '#platform/platform.ts';
import { deleteMfa, findAuthenticator } from '../mfa/store.ts';

export const resetPassword = operation({
  name: 'accounts.resetPassword',
  summary:
    'Sets a new password with the emailed token, which works once, within 30 minutes. Ends all sessions and invalidates all other reset tokens of the user. Verifies an address that was not verified before; MFA and consents from before are then removed. An account that an organisation created with an address of a domain that it has not verified is replaced by a new member.',
  who: 'anyone',
  input: closedObject({
    token: field(Type.String({ maxLength: 200 }), 'The token of the link in the mail.', sampleTokens.mail),
    new_password: passwordInput,
  }),
  output: { 204: null },
  refuses: ['reset_token_invalid', 'password_too_weak', 'password_too_common', 'overloaded'],
  checks: [({ new_password }) => checkNewPassword(new_password, '/new_password')],
  run: async (context, { token, new_password }) => {
    const now = context.now();
    const presented = { token_hash: hashToken(token), purpose: 'reset_password', now } as const;
    // Checked first, because a hash costs tens of milliseconds, which a made-up token must not cause.
    const holder = requireFound(await findTokenHolder(context.database, presented), 'reset_token_invalid');
    const password_hash = await hashPassword(new_password);
    const change = { presented, user_id: holder.user_id, password_hash };
    const names = await context.transaction((tx) => completeReset(context, tx, change));
    const guess = { what: 'password', user_id: holder.user_id, address: context.request.address } as const;
    for (const account of names) await forgetWrongGuesses(context, { ...guess, account });
    return null;
  },
});

type Change = {
  readonly presented: PresentedToken;
  readonly user_id: string;
  readonly password_hash: string;
};

/**
 * Locks the user first, so that a concurrent login with the old password either has its session revoked here or fails.
 *
 * @returns what the user logs in with.
 */
async function completeReset(
  context: Context<never>,
  tx: Transaction,
  { presented, user_id, password_hash }: Change,
): Promise<readonly string[]> {
  const { now } = presented;
  const user = await lockUser(tx, user_id);
  if (!user || !(await markMailedTokenUsed(tx, presented))) throw new Refusal('reset_token_invalid');
  const account = await findAccountById(tx, user_id);
  if (account && isSsoAccount(account)) {
    // The organisation may have verified the domain since the email was sent.
    if (account.email === null || !(await isWronglyClaimed(context, tx, account)))
      throw new Refusal('reset_token_invalid');
    return [(await replaceWrongClaim(context, tx, { email: account.email, password_hash })).email];
  }
  const detail = { sessions_ended: await replacePassword(context, tx, { user_id, password_hash }) };
  if (user.email_verified_at === null) await claimAccount(context, tx, user);
  await recordAudit(tx, {
    now,
    actor: { user_id, role: user.role },
    action: 'auth.password_reset',
    ...buildAuditSubject(user),
    detail,
  });
  await queueNotice(context, tx, user_id, 'password_reset');
  return listLoginNames(user);
}

/**
 * Gives an account whose address was never verified to the user who has just proven that the mailbox is theirs. The user who registered it may be
 * a stranger: MFA and consents from before the proof do not bind the owner. Replace the password in the same transaction. The
 * caller must hold the user's lock.
 */
async function claimAccount(
  services: Pick<Services, 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
  user: LockedUser,
): Promise<void> {
  const now = services.now();
  const subject = buildAuditSubject(user);
  // Not for a platform administrator: the operator created the account, and a mailbox must not disable MFA.
  if (user.role !== 'platform_admin') await removeSecondFactor(services, tx, user.id);
  await markEmailVerified(tx, user.id, now);
  const actor = { user_id: user.id, role: user.role };
  await recordAudit(tx, { now, actor, action: 'auth.email_verified', ...subject });
  if (subject.member_id === null) return;
  // Before the address counts as verified, so that a stranger's consent never deploys the member.
  await withdrawEverything(services, tx, subject.member_id);
  await recordEmailVerified(services, tx, subject.member_id);
}

async function removeSecondFactor(
  services: Pick<Services, 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
  user_id: string,
): Promise<void> {
  const authenticator = await findAuthenticator(tx, user_id);
  await deleteMfa(tx, user_id);
  if (authenticator && authenticator.enabled_at !== null)
    await queueNotice(services, tx, user_id, 'mfa_disabled');
}
