import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { runLimitedMail } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { checkSender } from './check-sender.ts';
import { checkMailLimit, createTooManyMailsRefusal, sendInvitation } from './send-invitation.ts';
import { lockOwnOrganisation } from './lock-own-organisation.ts';
import { computeExpiry, computeResendWaitSeconds } from './rules.ts';
import { findInvitation, lockInvitation, renewInvitation } from './store.ts';
import { orgUserWire, toWire } from './wire.ts';

export const resendInvitation = operation({
  name: 'orgUsers.resendInvitation',
  summary:
    'Sends the email of an open invitation again, after ten minutes at the earliest. The invitation is then valid for seven more days.',
  who: ['org_admin'],
  input: Type.Object({ user_id: uuid }),
  output: { 202: orgUserWire },
  refuses: [
    'email_not_verified',
    'organisation_name_taken',
    'user_not_found',
    'organisation_not_found',
    'too_many_requests',
  ],
  run: async (context, { user_id }) => {
    const { database, caller, now } = context;
    const key = { id: user_id, org_id: caller.org_id, now: now() };
    const invitation = await findInvitation(database, key);
    if (!invitation) throw new Refusal('user_not_found');
    return runLimitedMail(context, invitation.email, 'others', () =>
      context.transaction((tx) => sendAgain(context, tx, user_id)),
    );
  },
});

async function sendAgain(context: Context<'org_admin'>, tx: Transaction, id: string) {
  const { org_id } = context.caller;
  const now = context.now();
  await checkSender(context, tx, await lockOwnOrganisation(tx, context.caller));
  const invitation = await lockInvitation(tx, { id, org_id, now });
  if (!invitation) throw new Refusal('user_not_found');
  const wait_s = computeResendWaitSeconds(invitation.sent_at, now);
  if (wait_s > 0) throw createTooManyMailsRefusal(wait_s);
  await checkMailLimit(tx, org_id, now);
  const { role } = invitation;
  const expires_at = computeExpiry(now);
  await renewInvitation(tx, { id, now, expires_at });
  await context.queue.send(tx, sendInvitation, { invitation_id: id, org_id });
  const detail = { invitation_id: id, role };
  await recordCallerAudit(context, tx, { action: 'invitations.resent', org_id, detail });
  return toWire({ ...invitation, expires_at, display_name: null, status: 'invited', last_login: null });
}
