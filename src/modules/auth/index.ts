export { authenticateMfa } from './authenticate-mfa.ts';
export { authenticate } from './authenticate.ts';
export { closeAccount } from './close-account.ts';
export { createUser, ensureAdmin } from './create-user.ts';
export { disableMfa } from './disable-mfa.ts';
export { endSession } from './end-session.ts';
export { forgetSessions } from './forget-sessions.ts';
export { forgotPassword } from './forgot-password.ts';
export { issueSession } from './issue-session.ts';
export { listSessions } from './list-sessions.ts';
export { logIn } from './log-in.ts';
export { logOut } from './log-out.ts';
export { hashNewPassword, insertAccount } from './new-account.ts';
export { no_password } from './passwords.ts';
export { erase, exportOf } from './personal-data.ts';
export { readMe } from './read-me.ts';
export { clearedRefreshCookie } from './refresh-cookie.ts';
export { refreshSession } from './refresh-session.ts';
export { registerUser } from './register-user.ts';
export { removeAccount } from './remove-account.ts';
export { resendVerification } from './resend-verification.ts';
export { resetMfa } from './reset-mfa.ts';
export { resetPassword } from './reset-password.ts';
export { canonicalEmail, isEmail } from './rules.ts';
export { sendNotice } from './send-notice.ts';
export { sendPasswordReset } from './send-password-reset.ts';
export { sendVerification } from './send-verification.ts';
export { setUpMfa } from './set-up-mfa.ts';
export { deleteRemovedAccounts } from './store-removal.ts';
export { findAccount, updateEmailVerified, updateLastLogin, type Account, type User } from './store.ts';
export { resumeUser, suspendUser } from './suspend-user.ts';
export { verifyEmail } from './verify-email.ts';
export { verifyMfa } from './verify-mfa.ts';
export { noteRevoked, noteSuspended, watchSessions } from './watch-sessions.ts';
export {
  accessTokenFields,
  emailInput,
  loggedInWire,
  passwordInput,
  registeredUserWire,
  toWire as toUserWire,
} from './wire.ts';
