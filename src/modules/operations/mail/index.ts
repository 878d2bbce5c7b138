export { buildAccountNotice, type AccountNotice } from './words/account-notices.ts';
export {
  buildAccountLink,
  buildCandidateInvitation,
  buildDeletion,
  buildDisplacement,
  buildEmailChange,
  buildInvitation,
  buildMirrorLink,
  buildPasswordReset,
  buildVolunteerMail,
  buildVerification,
} from './words/links.ts';
export { buildAssessmentMail } from './words/assessments.ts';
export { buildDigest, buildFoundMatches, buildMatchNotice, type MatchNotice } from './words/matches.ts';
export { buildRevocationMail } from './words/revocations.ts';
export { buildReviewMail } from './words/reviews.ts';
export { buildBoardPause } from './words/boards.ts';
export { buildDeactivation } from './words/webhooks.ts';
export { mailTask, sendMail, type MailText, type Recipient } from './send-mail.ts';
