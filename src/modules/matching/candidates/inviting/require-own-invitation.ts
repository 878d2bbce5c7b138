import { Refusal } from '#lib/refusal.ts';
import type { Invitation } from '../rules.ts';

/** Which invitation a request of an organisation names. */
type InvitationName = { readonly org_id: string; readonly job_id: string };

/** Checks that an invitation belongs to a job of the organisation. @throws Refusal `candidate_invitation_not_found`. */
export function requireOwnInvitation(
  invitation: Invitation | undefined,
  { org_id, job_id }: InvitationName,
): Invitation {
  if (invitation?.org_id !== org_id || invitation.job_id !== job_id)
    throw new Refusal('candidate_invitation_not_found');
  return invitation;
}
