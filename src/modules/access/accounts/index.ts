// Operations.
export { changeEmail } from './accounts/change-email.ts';
export { readMe } from './accounts/read-me.ts';
export { registerUser } from './accounts/register-user.ts';
export { resendVerification } from './accounts/resend-verification.ts';
export { updateMe } from './accounts/update-me.ts';
export { verifyEmail } from './accounts/verify-email.ts';
export { checkHandle } from './handles/check-handle.ts';
export { createAccountByHandle } from './handles/create-account-by-handle.ts';
export { authenticateMfa } from './login/authenticate-mfa.ts';
export { authenticatePasskey } from './login/authenticate-passkey.ts';
export { logInByHandle } from './login/log-in-by-handle.ts';
export { logIn } from './login/log-in.ts';
export { reauthenticateUser } from './login/reauthenticate-user.ts';
export { requestPasskeyChallenge } from './login/request-passkey-challenge.ts';
export { disableMfa } from './mfa/disable-mfa.ts';
export { setUpMfa } from './mfa/set-up-mfa.ts';
export { verifyMfa } from './mfa/verify-mfa.ts';
export { addPasskey } from './passkeys/add-passkey.ts';
export { listPasskeys } from './passkeys/list-passkeys.ts';
export { removePasskey } from './passkeys/remove-passkey.ts';
export { renamePasskey } from './passkeys/rename-passkey.ts';
export { changePassword } from './password-changes/change-password.ts';
export { forgotPassword } from './password-changes/forgot-password.ts';
export { resetPassword } from './password-changes/reset-password.ts';
export { openAccount } from './registrations/open-account.ts';
export { requestAccount } from './registrations/request-account.ts';
export { endSession } from './sessions/end-session.ts';
export { listSessions } from './sessions/list-sessions.ts';
export { logOut } from './sessions/log-out.ts';
export { refreshSession } from './sessions/refresh-session.ts';

// Tasks, events and personal data.
export { sendDeletionNotice } from './accounts/send-deletion-notice.ts';
export { sendVerification } from './accounts/send-verification.ts';
export * from './events.ts';
export { forgetSessions } from './forget-sessions.ts';
export { sendPasswordReset } from './password-changes/send-password-reset.ts';
export { findMemberAccounts } from './personal-data.ts';
export * as personalData from './personal-data.ts';
export { sendAccountLink } from './registrations/send-account-link.ts';
export { sendNotice } from './send-notice.ts';

// Services for other modules, tables and commands.
export { changeOrgUser } from './accounts/change-org-user.ts';
export { closeAccount, reopenAccount, takeCancellationToken } from './accounts/close-account.ts';
export { createUser, ensureAdmin } from './accounts/create-user.ts';
export { displaceAccount, isAddressOwner, removeAccount } from './accounts/displace-account.ts';
export { insertAccount, insertMemberAccount, newPasswordChecks } from './accounts/new-account.ts';
export { insertProvenMember } from './accounts/replace-wrong-claim.ts';
export { requireEmail } from './accounts/require-email.ts';
export { queueDeletionNotice } from './accounts/send-deletion-notice.ts';
export { queueVerification } from './accounts/send-verification.ts';
export { deleteRemovedAccounts } from './accounts/store-removal.ts';
export { buildAuditSubject } from './audit-subject.ts';
export { hasUsedPagesSince } from './sessions/store.ts';
export { findGreetingName } from './find-greeting-name.ts';
export { runLimitedGuess, runLimitedMail } from './guess-limits.ts';
export { resetMfa, resetMfaById } from './mfa/reset-mfa.ts';
export { hashPassword, no_password } from './passwords/passwords.ts';
export { queueAdministratorNotices, queueNotice } from './send-notice.ts';
export { authenticateBrowser } from './sessions/authenticate-browser.ts';
export {
  authenticateCaller,
  findCallerRefusal,
  findRememberedCaller,
} from './sessions/authenticate-caller.ts';
export { console_cookies, nameConsoleCookie, toConsoleCookie } from './sessions/console-cookie.ts';
export { countLogin } from './sessions/count-login.ts';
export { issueSession } from './sessions/issue-session.ts';
export { clearedRefreshCookie } from './sessions/refresh-cookie.ts';
export { countOpenSessions } from './sessions/store.ts';
export { verifyBearerToken } from './sessions/verify-bearer-token.ts';
export { watchSessions } from './sessions/watch-sessions.ts';
export * as accountSearch from './store-search.ts';
export {
  countUsers,
  findAccount,
  findUser,
  hasUsersOfOrganisation,
  markEmailVerified,
  updateLastLogin,
  type Account,
  type User,
} from './store.ts';
export {
  findReachableUser,
  listAdministratorEmails,
  listAdministrators,
} from './store-organisation-users.ts';
export { changeOrganisation, changeOrganisationFromCommand } from './suspension/suspend-organisation.ts';
export { changeUserSuspension, changeUserFromCommand } from './suspension/suspend-user.ts';

// Values, rules and schemas.
export { isHandle, toCanonicalHandle } from './handles/rules.ts';
export { isEmail, toCanonicalEmail, toLoginName } from './rules.ts';
export {
  accessTokenFields,
  emailInput,
  loggedInWire,
  passwordInput,
  registeredUserWire,
  toWire as toUserWire,
} from './wire.ts';
