import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { runLimitedMail } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { openAddress } from '../addresses.ts';
import { checkLastEmail, computeExpiry, computeStatus, type Invitation } from '../rules.ts';
import { findInvitation, lockInvitation, renewInvitation } from '../store.ts';
import { invitationId, invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';
import { checkSending } from './check-sending.ts';
import { requireOwnInvitation } from './require-own-invitation.ts';
import { sendCandidateInvitation } from './send-candidate-invitation.ts';

export const resendCandidateInvitation = operation({
  name: 'candidates.resendCandidateInvitation',
  title: 'Send an invitation to a job again',
  summary:
    'Sends the email of an invitation that waits for an answer again, a day after the last one at the earliest. The invitation is then valid for fourteen more days.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid, invitation_id: invitationId }),
  output: { 202: invitationWire },
  refuses: [
    'candidate_emailed_today',
    'candidate_invitation_closed',
    'candidate_invitation_not_found',
    'email_not_verified',
    'job_closed',
    'job_not_found',
    'organisation_name_taken',
    'organisation_not_found',
    'too_many_requests',
  ],
  run: async (context, { job_id, invitation_id }) => {
    const name = { org_id: context.caller.org_id, job_id };
    const found = requireOwnInvitation(await findInvitation(context.database, invitation_id), name);
    return runLimitedMail(context, requireAddress(context, found), 'others', () =>
      context.transaction(async (tx) => {
        await checkSending(context, tx, job_id);
        return sendAgain(context, tx, requireOwnInvitation(await lockInvitation(tx, invitation_id), name));
      }),
    );
  },
});

/** Only an invitation that can still be answered is sent again. @throws Refusal `candidate_invitation_closed`. */
function requireAddress(context: Context<'org_admin'>, invitation: Invitation): string {
  const status = computeStatus(invitation, context.now());
  const email = openAddress(context, invitation.email_sealed);
  if (status !== 'sent' || email === null)
    throw new Refusal('candidate_invitation_closed', { detail: `The invitation is ${status}.` });
  return email;
}

async function sendAgain(context: Context<'org_admin'>, tx: Transaction, invitation: Invitation) {
  requireAddress(context, invitation);
  const now = context.now();
  checkLastEmail(invitation, now);
  const renewed = { ...invitation, sent_at: now, expires_at: computeExpiry(now), updated_at: now };
  await renewInvitation(tx, renewed);
  const { id: invitation_id, org_id, job_id } = renewed;
  await context.queue.send(tx, sendCandidateInvitation, { invitation_id, org_id });
  const detail = { invitation_id, job_id };
  await recordCallerAudit(context, tx, { action: 'candidates.invited_again', org_id, detail });
  return toInvitationWire(context, renewed);
}
