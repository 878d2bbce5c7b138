import { hashToken } from '#platform/security/hash-token.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { findInvitationByToken } from '../store.ts';
import { receivedInvitationWire, tokenInput } from '../wire.ts';
import { requireReceived } from './read-invitation.ts';

export const openCandidateInvitation = operation({
  name: 'candidates.openCandidateInvitation',
  title: 'Open an invitation by its link',
  summary:
    'Reads an invitation to a job by the token of the emailed link, without an account. The organisation does not learn of it.',
  who: 'anyone',
  input: closedObject({ token: tokenInput }),
  output: { 200: receivedInvitationWire },
  refuses: ['candidate_invitation_not_found'],
  run: async (context, { token }) => {
    const { database } = context;
    return requireReceived(context, database, await findInvitationByToken(database, hashToken(token)));
  },
});
