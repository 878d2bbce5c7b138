import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findInvitation } from '../store.ts';
import { invitationId, invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';
import { requireOwnInvitation } from './require-own-invitation.ts';

export const readCandidateInvitation = operation({
  name: 'candidates.readCandidateInvitation',
  title: 'Read an invitation to a job',
  summary: 'Reads what became of an invitation to a job.',
  who: orgRoles,
  input: Type.Object({ job_id: uuid, invitation_id: invitationId }),
  output: { 200: invitationWire },
  refuses: ['candidate_invitation_not_found'],
  run: async (context, { job_id, invitation_id }) => {
    const { org_id } = context.caller;
    const found = await findInvitation(context.database, invitation_id);
    return toInvitationWire(context, requireOwnInvitation(found, { org_id, job_id }));
  },
});
