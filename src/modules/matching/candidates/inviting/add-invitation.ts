import { randomUUID } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { deriveToken, hashAddress, sealAddress } from '../addresses.ts';
import { moveInvitation } from '../move-invitation.ts';
import { checkLatest, computeExpiry, invitations_a_job_max, type Invitation } from '../rules.ts';
import { countInvitations, insertInvitation, isStopped, lockLatestInvitation } from '../store.ts';
import { checkSending } from './check-sending.ts';
import { sendCandidateInvitation } from './send-candidate-invitation.ts';

/** Why a person cannot be invited. */
export const addingRefusals = [
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
] as const;

/** Who is invited to what, and what the inviting program notes. */
export type NewInvitation = Pick<Invitation, 'job_id' | 'external_ref' | 'metadata' | 'partner'> & {
  readonly email: string;
};

/**
 * Invites an address to a job of the caller's organisation, and queues the email. The caller limits emails to the address (`runLimitedMail`).
 *
 * @throws Refusal one of {@link addingRefusals}.
 */
export async function addInvitation(
  context: Context<'org_admin'>,
  tx: Transaction,
  added: NewInvitation,
): Promise<Invitation> {
  const { job_id } = added;
  await checkSending(context, tx, job_id);
  const email_hash = hashAddress(context, added.email);
  await checkInvitable(context, tx, { job_id, email_hash });
  const invitation = createInvitation(context, added);
  await insertInvitation(tx, invitation, hashToken(deriveToken(context, invitation.id)));
  const { id: invitation_id, org_id } = invitation;
  await context.queue.send(tx, sendCandidateInvitation, { invitation_id, org_id });
  const detail = { invitation_id, job_id };
  await recordCallerAudit(context, tx, { action: 'candidates.invited', org_id, detail });
  return invitation;
}

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

function createInvitation(context: Context<'org_admin'>, { email, ...given }: NewInvitation): Invitation {
  const now = context.now();
  return {
    ...given,
    id: randomUUID(),
    org_id: context.caller.org_id,
    email_sealed: sealAddress(context, email),
    email_hash: hashAddress(context, email),
    state: 'sent',
    member_id: null,
    created_at: now,
    sent_at: now,
    expires_at: computeExpiry(now),
    updated_at: now,
  };
}
