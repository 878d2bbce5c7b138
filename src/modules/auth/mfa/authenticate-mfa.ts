import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { issueSession } from '../sessions/issue-session.ts';
import { takeRecoveryCode, takeTotp } from './mfa-code.ts';
import { toCanonicalEmail, isTicketUsable } from '../rules.ts';
import { hashToken } from '../secret-token.ts';
import { queueNotice } from '../send-notice.ts';
import {
  countRecoveryCodes,
  findAuthenticator,
  findTicket,
  updateTicketFailed,
  updateTicketUsed,
} from './store.ts';
import { lockUser, updateLastLogin, type LockedUser } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { emailInput, loggedInWire, toWire } from '../wire.ts';

export const authenticateMfa = operation({
  name: 'auth.authenticateMfa',
  summary:
    'The second step of a login: exchanges the ticket and a code of the authenticator app, or a recovery code, for an access token and the refresh cookie.',
  who: 'anyone',
  input: Type.Object(
    {
      mfa_ticket: Type.String({ maxLength: 200 }),
      code: Type.String({ maxLength: 40, description: 'Six digits, or with recovery true a recovery code.' }),
      email: Type.Optional(emailInput),
      recovery: Type.Optional(Type.Boolean({ default: false })),
    },
    { additionalProperties: false },
  ),
  output: { 200: loggedInWire },
  refuses: ['mfa_ticket_invalid', 'mfa_code_wrong', 'account_suspended'],
  run: async (context, input) => {
    const ticket_hash = hashToken(input.mfa_ticket);
    const ticket = await findTicket(context.database, ticket_hash);
    if (!ticket) throw new Refusal('mfa_ticket_invalid');
    const { user_id } = ticket;
    const guess = { what: 'code', account: user_id, user_id, address: context.request.address } as const;
    const second = { ...input, ticket_hash, user_id };
    const take = () => context.transaction((tx) => completeSecondStep(context, tx, second));
    // The refusal follows the commit: thrown inside, it would roll the count of wrong codes back.
    const answer = await runLimitedGuess(context, guess, take, (taken) => taken !== undefined);
    if (!answer) throw new Refusal('mfa_code_wrong');
    return answer;
  },
});

type SecondStep = {
  readonly ticket_hash: Buffer;
  readonly user_id: string;
  readonly code: string;
  readonly email?: string;
  readonly recovery?: boolean;
};

/** The answer to the right code; undefined for a wrong one, which is counted. One user's steps are taken one after the other. */
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
  const { created_at: _created, ...told } = toWire(updated);
  return reply(200, { ...tokens, user: told }, [cookie]);
}

async function takeCode(
  context: Context<never>,
  tx: Transaction,
  { user_id, code, recovery }: SecondStep,
): Promise<boolean> {
  const authenticator = await findAuthenticator(tx, user_id);
  if (!authenticator || authenticator.enabled_at === null) throw new Refusal('mfa_ticket_invalid');
  if (recovery) return takeRecoveryCode(context, tx, user_id, code);
  return takeTotp(context, tx, user_id, authenticator, code);
}

async function reportRecoveryCodeUse(
  context: Context<never>,
  tx: Transaction,
  user: LockedUser,
): Promise<void> {
  const left = await countRecoveryCodes(tx, user.id);
  const action = 'auth.recovery_code_used';
  await recordAudit(tx, {
    now: context.now(),
    actor_user_id: user.id,
    action,
    ...buildAuditSubject(user),
    detail: { left },
  });
  await queueNotice(context, tx, user.id, 'recovery_code_used');
}
