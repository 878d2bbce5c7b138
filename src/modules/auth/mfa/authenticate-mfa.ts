import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import { closedObject } from '#platform/schema.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { toCanonicalEmail, isTicketUsable } from '../rules.ts';
import { hashToken } from '../secret-token.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser, updateLastLogin, type LockedUser } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { emailInput, loggedInWire, toWire } from '../wire.ts';
import { consumeRecoveryCode, consumeTotp } from './mfa-code.ts';
import {
  countRecoveryCodes,
  findAuthenticator,
  findTicket,
  updateTicketFailed,
  updateTicketUsed,
} from './store.ts';

export const authenticateMfa = operation({
  name: 'auth.authenticateMfa',
  summary:
    'Completes a login with MFA: exchanges the ticket and a code from the authenticator app, or a recovery code, for an access token and the refresh cookie.',
  who: 'anyone',
  input: closedObject({
    mfa_ticket: Type.String({ maxLength: 200 }),
    code: Type.String({
      maxLength: 40,
      description: 'The six digits from the authenticator app, or a recovery code if recovery is true.',
    }),
    email: Type.Optional(emailInput),
    recovery: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: { 200: loggedInWire },
  refuses: ['mfa_ticket_invalid', 'mfa_code_wrong', 'account_suspended'],
  run: async (context, input) => {
    const ticket_hash = hashToken(input.mfa_ticket);
    const ticket = await findTicket(context.database, ticket_hash);
    if (!ticket) throw new Refusal('mfa_ticket_invalid');
    const { user_id } = ticket;
    const guess = { what: 'code', account: user_id, user_id, address: context.request.address } as const;
    const step = { ...input, ticket_hash, user_id };
    const complete = () => context.transaction((tx) => completeSecondStep(context, tx, step));
    // Thrown after the commit: inside the transaction, the refusal would roll back the count of wrong codes.
    const login = await runLimitedGuess(context, guess, complete, (result) => result !== undefined);
    if (!login) throw new Refusal('mfa_code_wrong');
    return login;
  },
});

type SecondStep = {
  readonly ticket_hash: Buffer;
  readonly user_id: string;
  readonly code: string;
  readonly email?: string;
  readonly recovery?: boolean;
};

/** Returns the reply to a right code, or undefined for a wrong one, which is counted. The user's lock serialises concurrent requests. */
async function completeSecondStep(context: Context<never>, tx: Transaction, step: SecondStep) {
  const { ticket_hash, user_id, email } = step;
  const user = await lockUser(tx, user_id);
  const ticket = await findTicket(tx, ticket_hash);
  if (!user || !ticket || !isTicketUsable(ticket, context.now())) throw new Refusal('mfa_ticket_invalid');
  if (email !== undefined && toCanonicalEmail(email) !== user.email) throw new Refusal('mfa_ticket_invalid');
  if (!(await takeCode(context, tx, step))) {
    await updateTicketFailed(tx, ticket_hash);
    return undefined;
  }
  await updateTicketUsed(tx, ticket_hash, context.now());
  if (step.recovery) await reportRecoveryCodeUse(context, tx, user);
  const updated = await updateLastLogin(tx, user, context.now());
  if (!updated) throw new Refusal('account_suspended');
  const { tokens, cookie } = await issueSession(context, tx, updated);
  const { created_at: _created, ...userFields } = toWire(updated);
  return reply(200, { ...tokens, user: userFields }, [cookie]);
}

async function takeCode(
  context: Context<never>,
  tx: Transaction,
  { user_id, code, recovery }: SecondStep,
): Promise<boolean> {
  const authenticator = await findAuthenticator(tx, user_id);
  if (!authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_ticket_invalid');
  if (recovery) return consumeRecoveryCode(context, tx, user_id, code);
  return consumeTotp(context, tx, user_id, authenticator, code);
}

async function reportRecoveryCodeUse(
  context: Context<never>,
  tx: Transaction,
  user: LockedUser,
): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  await recordAudit(tx, {
    now: context.now(),
    actor: { user_id: user.id, role: user.role },
    action: 'auth.recovery_code_used',
    ...buildAuditSubject(user),
    detail: { left },
  });
  await queueNotice(context, tx, user.id, 'recovery_code_used');
}
