import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import type { Invitation } from '../rules.ts';
import { lockInvitation } from '../store.ts';
import { decisionInput, invitationId, receivedInvitationWire } from '../wire.ts';
import { applyAnswer } from './apply-answer.ts';
import { findProvenAddress } from './find-proven-address.ts';

export const answerMemberInvitation = operation({
  name: 'candidates.answerMemberInvitation',
  title: 'Answer an invitation to a job',
  summary:
    'Answers an invitation to a job that `GET /members/me/invitations` lists. To take part consents to nothing: the organisation sees a match, under an alias, only by the consents and the rules that hold for every job. Declining what was accepted withdraws it. Repeating an answer changes nothing.',
  who: ['member'],
  input: Type.Object({ invitation_id: invitationId, decision: decisionInput }),
  output: { 200: receivedInvitationWire },
  refuses: ['candidate_invitation_closed', 'candidate_invitation_not_found', 'job_closed'],
  run: (context, { invitation_id, decision }) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const proven = await findProvenAddress(context, tx, caller);
      const locked = await lockInvitation(tx, invitation_id);
      const invitation = locked && isOwn(locked, caller.member_id, proven) ? locked : undefined;
      return applyAnswer(context, tx, invitation, { decision, member: caller });
    }),
});

/** What a member has accepted belongs to that member; what nobody has accepted, to the owner of the address. */
function isOwn(
  { member_id, email_hash }: Invitation,
  caller_id: string,
  proven: Buffer | undefined,
): boolean {
  if (member_id !== null) return member_id === caller_id;
  return email_hash !== null && proven !== undefined && proven.equals(email_hash);
}
