import * as audit from '#modules/audit';
import * as auth from '#modules/auth';
import * as credentials from '#modules/credentials';
import * as earnings from '#modules/earnings';
import * as exports from '#modules/exports';
import * as identity from '#modules/identity';
import * as grants from '#modules/grants';
import * as ledger from '#modules/ledger';
import * as feedback from '#modules/feedback';
import * as learning from '#modules/learning';
import * as marketplace from '#modules/marketplace';
import * as matching from '#modules/matching';
import * as oauth from '#modules/oauth';
import * as notifications from '#modules/notifications';
import * as orgUsers from '#modules/org-users';
import * as payments from '#modules/payments';
import * as queries from '#modules/queries';
import * as reviews from '#modules/reviews';
import * as rights from '#modules/rights';
import * as selfIdentification from '#modules/self-identification';
import * as sso from '#modules/sso';
import * as tasks from '#modules/tasks';
import * as traits from '#modules/traits';
import * as wallets from '#modules/wallets';
import * as webhooks from '#modules/webhooks';
import type { Task } from '#platform/queue/task.ts';

/** TABLE 5: every background task. The file of a task defines its retry schedule and its work. */
export const taskTable: readonly Task[] = [
  audit.forgetEntries,
  auth.sendVerification,
  auth.sendPasswordReset,
  auth.sendEmailChange,
  auth.sendNotice,
  auth.sendDeletionNotice,
  auth.forgetSessions,
  credentials.renewCredentials,
  oauth.forgetArtifacts,
  oauth.removeTokens,
  orgUsers.sendInvitation,
  orgUsers.forgetInvitations,
  grants.forgetGrants,
  earnings.checkBooksNightly,
  earnings.watchChain,
  identity.forgetStubs,
  ledger.keepCheckpoints,
  ledger.sendPayouts,
  marketplace.recordTransaction,
  matching.computeAllMatches,
  matching.computeJobMatches,
  matching.computeMemberMatches,
  matching.computeOrganisationMatches,
  matching.countReach,
  matching.forgetChanges,
  matching.expireMatches,
  matching.fillEmptyLists,
  matching.generateExplanation,
  matching.reopenJob,
  feedback.openStages,
  exports.measurePopulation,
  learning.learnFromOutcomes,
  notifications.notifyMember,
  notifications.notifyOfAcceptance,
  notifications.notifyOfDecline,
  notifications.notifyOfFeedback,
  notifications.notifyOfRead,
  notifications.sendMatchMail,
  notifications.sendDigest,
  notifications.sendDigests,
  payments.reconcileClaims,
  payments.forgetChallenges,
  queries.finishPayments,
  queries.forgetQuotes,
  reviews.endReviews,
  reviews.notifyOfReview,
  reviews.remindOfReviews,
  reviews.sendReviewMail,
  rights.buildDataExport,
  rights.eraseMembers,
  rights.scheduleErasure,
  rights.forgetDataExports,
  selfIdentification.removeAnswers,
  selfIdentification.removeUnofferedAnswers,
  sso.forgetLogins,
  tasks.cleanUp,
  traits.estimateParameters,
  traits.rescoreAnswers,
  traits.rescoreMember,
  wallets.forgetOffers,
  webhooks.distributeAttestation,
  webhooks.distributeMatchEvent,
  webhooks.deliverEvents,
  webhooks.forgetDeliveries,
  webhooks.removeHistory,
  webhooks.resumeDeliveries,
  webhooks.sendDeactivation,
];
