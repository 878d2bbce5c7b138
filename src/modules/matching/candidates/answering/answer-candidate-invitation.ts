import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { findInvitationByToken, lockInvitation } from '../store.ts';
import { decisionInput, receivedInvitationWire, tokenInput } from '../wire.ts';
import { applyAnswer } from './apply-answer.ts';

export const answerCandidateInvitation = operation({
  name: 'candidates.answerCandidateInvitation',
  title: 'Answer an invitation by its link',
  summary:
    'Answers an invitation to a job by the token of the emailed link. Only a member who is logged in can accept; declining, and ending further invitations, needs no account. Repeating an answer changes nothing.',
  who: 'anyone',
  input: closedObject({ token: tokenInput, decision: decisionInput }),
  output: { 200: receivedInvitationWire },
  refuses: [
    'authentication_required',
    'candidate_invitation_closed',
    'candidate_invitation_not_found',
    'job_closed',
    'role_not_allowed',
  ],
  run: (context, { token, decision }) => {
    const { caller } = context;
    if (decision === 'accept' && caller.role !== 'member' && caller.role !== 'anonymous')
      throw new Refusal('role_not_allowed', { detail: 'Only a member can take part.' });
    const member = caller.role === 'member' ? caller : undefined;
    return context.transaction(async (tx) => {
      const found = await findInvitationByToken(tx, hashToken(token));
      return applyAnswer(context, tx, found && (await lockInvitation(tx, found.id)), { decision, member });
    });
  },
});
