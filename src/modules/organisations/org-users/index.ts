export { acceptInvitation } from './accept-invitation.ts';
export { changeUserRole } from './change-user-role.ts';
export { forgetInvitations } from './forget-invitations.ts';
export { inviteUser } from './invite-user.ts';
export { listUsers } from './list-users.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { removeUser } from './remove-user.ts';
export { resendInvitation } from './resend-invitation.ts';
export { sendInvitation } from './send-invitation.ts';
