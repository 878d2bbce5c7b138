import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { emailInput, runLimitedMail } from '#modules/access/accounts';
import { referenceInput } from '#modules/matching/jobs';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { deriveToken, hashAddress, sealAddress } from '../addresses.ts';
import { moveInvitation } from '../move-invitation.ts';
import { checkLatest, computeExpiry, invitations_a_job_max, type Invitation } from '../rules.ts';
import { countInvitations, insertInvitation, isStopped, lockLatestInvitation } from '../store.ts';
import { invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';
import { checkSending } from './check-sending.ts';
import { sendCandidateInvitation } from './send-candidate-invitation.ts';

export const inviteCandidate = operation({
  name: 'candidates.inviteCandidate',
  title: 'Invite a person to a job',
  summary:
    'Invites a person to an active job of the organisation, by an email with a link that works for fourteen days. The reply is the same whether or not the address has an account, and the organisation learns only what the person answers. An address gets at most one email a day about a job.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid, email: emailInput, ...referenceInput }),
  output: { 201: invitationWire },
  location: ({ job_id, id }) => `/orgs/me/jobs/${job_id}/invitations/${id}`,
  refuses: [
    'candidate_declined',
    'candidate_emailed_today',
    'candidate_stopped',
    'email_not_verified',
    'invitation_exists',
    'invitations_full',
    'job_closed',
    'job_not_found',
    'organisation_name_taken',
    'organisation_not_found',
    'too_many_requests',
  ],
  idempotent: true,
  run: (context, { job_id, email, external_ref = null, metadata = {} }) =>
    runLimitedMail(context, email, 'others', () =>
      context.transaction(async (tx) => {
        await checkSending(context, tx, job_id);
        const email_hash = hashAddress(context, email);
        await checkInvitable(context, tx, { job_id, email_hash });
        const invitation = createInvitation(context, { job_id, email, external_ref, metadata });
        await insertInvitation(tx, invitation, hashToken(deriveToken(context, invitation.id)));
        const { id: invitation_id, org_id } = invitation;
        await context.queue.send(tx, sendCandidateInvitation, { invitation_id, org_id });
        const detail = { invitation_id, job_id };
        await recordCallerAudit(context, tx, { action: 'candidates.invited', org_id, detail });
        return toInvitationWire(context, invitation);
      }),
    ),
});

async function checkInvitable(
  context: Context<'org_admin'>,
  tx: Transaction,
  { job_id, email_hash }: { readonly job_id: string; readonly email_hash: Buffer },
): Promise<void> {
  const { org_id } = context.caller;
  const now = context.now();
  if (await isStopped(tx, { org_id, email_hash })) throw new Refusal('candidate_stopped');
  const latest = await lockLatestInvitation(tx, { job_id, email_hash });
  checkLatest(latest, now);
  // It has expired by its date alone: the new one takes its place.
  if (latest?.state === 'sent')
    await moveInvitation(context, tx, latest, { state: 'expired', member_id: null });
  if ((await countInvitations(tx, { owner: { org_id, job_id } }, now)) >= invitations_a_job_max)
    throw new Refusal('invitations_full');
}

function createInvitation(
  context: Context<'org_admin'>,
  {
    job_id,
    email,
    external_ref,
    metadata,
  }: Pick<Invitation, 'job_id' | 'external_ref' | 'metadata'> & { readonly email: string },
): Invitation {
  const now = context.now();
  return {
    id: randomUUID(),
    org_id: context.caller.org_id,
    job_id,
    email_sealed: sealAddress(context, email),
    email_hash: hashAddress(context, email),
    state: 'sent',
    member_id: null,
    external_ref,
    metadata,
    created_at: now,
    sent_at: now,
    expires_at: computeExpiry(now),
    updated_at: now,
  };
}
