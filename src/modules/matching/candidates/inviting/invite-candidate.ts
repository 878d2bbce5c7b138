import { Type } from 'typebox';
import { emailInput, runLimitedMail } from '#modules/access/accounts';
import { referenceInput } from '#modules/matching/jobs';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';
import { addInvitation, addingRefusals } from './add-invitation.ts';

export const inviteCandidate = operation({
  name: 'candidates.inviteCandidate',
  title: 'Invite a person to a job',
  summary:
    'Invites a person to an active job of the organisation, by an email with a link that works for fourteen days. The reply is the same whether or not the address has an account, and the organisation learns only what the person answers. An address gets at most one email a day about a job.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid, email: emailInput, ...referenceInput }),
  output: { 201: invitationWire },
  location: ({ job_id, id }) => `/orgs/me/jobs/${job_id}/invitations/${id}`,
  refuses: addingRefusals,
  idempotent: true,
  run: (context, { job_id, email, external_ref = null, metadata = {} }) =>
    runLimitedMail(context, email, 'others', () =>
      context.transaction(async (tx) => {
        const added = { job_id, email, external_ref, metadata, partner: null };
        return toInvitationWire(context, await addInvitation(context, tx, added));
      }),
    ),
});
