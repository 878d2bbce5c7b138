import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { lockInvitation } from '../store.ts';
import { invitationId, invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';
import { cancelInvitation } from './cancel-invitation.ts';
import { requireOwnInvitation } from './require-own-invitation.ts';

export const cancelCandidateInvitation = operation({
  name: 'candidates.cancelCandidateInvitation',
  title: 'Cancel an invitation to a job',
  summary:
    'Cancels an invitation that waits for an answer. Its link no longer works, and its address is deleted. Repeating it changes nothing.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid, invitation_id: invitationId }),
  output: { 200: invitationWire },
  refuses: ['candidate_invitation_closed', 'candidate_invitation_not_found'],
  run: (context, { job_id, invitation_id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const invitation = requireOwnInvitation(await lockInvitation(tx, invitation_id), { org_id, job_id });
      return toInvitationWire(context, await cancelInvitation(context, tx, invitation));
    }),
});
