// Inviting: an organisation and its programs.
export { addInvitation, addingRefusals } from './inviting/add-invitation.ts';
export { cancelInvitation } from './inviting/cancel-invitation.ts';
export { cancelCandidateInvitation } from './inviting/cancel-candidate-invitation.ts';
export { inviteCandidate } from './inviting/invite-candidate.ts';
export { listCandidateInvitations } from './inviting/list-candidate-invitations.ts';
export { readCandidateInvitation } from './inviting/read-candidate-invitation.ts';
export { resendCandidateInvitation } from './inviting/resend-candidate-invitation.ts';
export { sendCandidateInvitation } from './inviting/send-candidate-invitation.ts';

// Answering: a person, with or without an account.
export { answerCandidateInvitation } from './answering/answer-candidate-invitation.ts';
export { answerMemberInvitation } from './answering/answer-member-invitation.ts';
export { listMemberInvitations } from './answering/list-member-invitations.ts';
export { openCandidateInvitation } from './answering/open-candidate-invitation.ts';

// Ends, events and personal data.
export { endInvitations } from './end-invitations.ts';
export { invitationUpdated } from './events.ts';
export { personalData } from './personal-data.ts';
export { computeStatus, partners, type InvitationState, type Partner } from './rules.ts';
export { deleteOrganisationInvitations, findInvitation, lockInvitation } from './store.ts';
