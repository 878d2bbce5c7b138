import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { closedObject, field } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { countLogin } from '../sessions/count-login.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { toCanonicalEmail, isTicketUsable } from '../rules.ts';
import { queueNotice } from '../send-notice.ts';
import { lockUser, updateLastLogin, type LockedUser } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { emailInput, loggedInWire, toWire } from '../wire.ts';
import { consumeRecoveryCode, consumeTotp } from '../mfa/mfa-code.ts';
import {
  countRecoveryCodes,
  findAuthenticator,
  findTicket,
  recordTicketFailure,
  markTicketUsed,
} from '../mfa/store.ts';

export const authenticateMfa = operation({
  name: 'accounts.authenticateMfa',
  title: 'Complete a login with MFA',
  summary:
    'Completes a login with MFA: exchanges the ticket and a code from the authenticator app, or a recovery code, for an access token and the refresh cookie.',
  who: 'anyone',
  input: closedObject({
    mfa_ticket: field(Type.String({ maxLength: 200 }), 'The ticket of the login.', sampleTokens.mail),
    code: Type.String({
      maxLength: 40,
      description: 'The six digits from the authenticator app, or a recovery code if recovery is true.',
      examples: ['402817'],
    }),
    email: Type.Optional(emailInput),
    recovery: Type.Optional(
      field(Type.Boolean({ default: false }), 'Whether the code is a recovery code.', false),
    ),
  }),
  output: { 200: loggedInWire },
  refuses: [
    'mfa_ticket_invalid',
    'mfa_code_wrong',
    'account_suspended',
    'organisation_suspended',
    'network_not_allowed',
  ],
  cookies: { sets: ['refresh_token'] },
  samples: { request: { mfa_ticket: sampleTokens.mail, code: '402817' } },
  run: (context, input) => countLogin(context, 'code', () => logInByCode(context, input)),
});

type CodeInput = { readonly code: string; readonly email?: string; readonly recovery?: boolean };
type SecondStep = CodeInput & { readonly ticket_hash: Buffer; readonly user_id: string };

async function logInByCode(
  context: Context<never>,
  { mfa_ticket, ...input }: CodeInput & { readonly mfa_ticket: string },
) {
  const ticket_hash = hashToken(mfa_ticket);
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
}

/** Returns the reply to a right code, or undefined for a wrong one, which is counted. The user's lock serialises concurrent requests. */
async function completeSecondStep(context: Context<never>, tx: Transaction, step: SecondStep) {
  const { ticket_hash, user_id, email } = step;
  const user = await lockUser(tx, user_id);
  const ticket = await findTicket(tx, ticket_hash);
  if (!user || !ticket || !isTicketUsable(ticket, context.now())) throw new Refusal('mfa_ticket_invalid');
  if (email !== undefined && toCanonicalEmail(email) !== user.email) throw new Refusal('mfa_ticket_invalid');
  if (!(await takeCode(context, tx, step))) {
    await recordTicketFailure(tx, ticket_hash);
    return undefined;
  }
  await markTicketUsed(tx, ticket_hash, context.now());
  if (step.recovery) await reportRecoveryCodeUse(context, tx, user);
  const updated = await updateLastLogin(tx, user, context.now());
  if (!updated) throw new Refusal('account_suspended');
  const { tokens, cookie } = await issueSession(
    context,
    tx,
    updated,
    step.recovery ? 'recovery_code' : 'code',
  );
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
