import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { moveInvitation } from '../move-invitation.ts';
import { decideCancelling, type Invitation } from '../rules.ts';

/**
 * Cancels an invitation of the caller's organisation that is locked, unless that has happened already.
 *
 * @returns the invitation as it is then.
 * @throws Refusal `candidate_invitation_closed` if it was answered or has expired.
 */
export async function cancelInvitation(
  context: Context<'org_admin'>,
  tx: Transaction,
  invitation: Invitation,
): Promise<Invitation> {
  if (!decideCancelling(invitation, context.now())) return invitation;
  const cancelled = await moveInvitation(context, tx, invitation, { state: 'cancelled', member_id: null });
  const { id: invitation_id, job_id, org_id } = invitation;
  const detail = { invitation_id, job_id };
  await recordCallerAudit(context, tx, { action: 'candidates.invitation_cancelled', org_id, detail });
  return cancelled;
}
