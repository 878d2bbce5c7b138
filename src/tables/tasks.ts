import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import * as stubs from '#modules/income/stubs';
import * as audit from '#modules/operations/audit';
import * as accounts from '#modules/access/accounts';
import * as offers from '#modules/credentials/offers';
import * as candidates from '#modules/matching/candidates';
import * as partners from '#modules/matching/partners';
import * as credentials from '#modules/credentials/credentials';
import * as exports from '#modules/operations/exports';
import * as agents from '#modules/access/agents';
import * as culture from '#modules/organisations/culture';
import * as serviceKeys from '#modules/access/service-keys';
import * as placements from '#modules/matching/placements';
import * as jobs from '#modules/matching/jobs';
import * as learning from '#modules/matching/learning';
import * as impact from '#modules/matching/impact';
import * as matches from '#modules/matching/matches';
import * as notifications from '#modules/operations/notifications';
import * as orgUsers from '#modules/organisations/org-users';
import * as operator from '#modules/operations/operator';
import * as payments from '#modules/income/payments';
import * as reviews from '#modules/matching/reviews';
import * as sandbox from '#modules/operations/sandbox';
import * as rights from '#modules/people/rights';
import * as selfIdentification from '#modules/people/self-identification';
import * as sso from '#modules/access/sso';
import * as tasks from '#modules/operations/tasks';
import * as traits from '#modules/measurement/traits';
import * as wallets from '#modules/credentials/wallets';
import * as webhooks from '#modules/operations/webhooks';
import type { Task } from '#platform/queue/task.ts';

/** TABLE 5: every background task. The file of a task defines its retry schedule and its work. */
export const taskTable: readonly Task[] = [
  audit.forgetEntries,
  audit.linkNewEntries,
  audit.signHeads,
  accounts.sendVerification,
  accounts.sendPasswordReset,
  accounts.sendNotice,
  accounts.sendDeletionNotice,
  accounts.forgetSessions,
  credentials.renewCredentials,
  agents.forgetArtifacts,
  agents.removeTokens,
  orgUsers.sendInvitation,
  orgUsers.forgetInvitations,
  agents.forgetGrants,
  serviceKeys.forgetServiceKeys,
  culture.forgetDrafts,
  books.checkBooksNightly,
  books.watchChain,
  stubs.forgetStubs,
  books.keepCheckpoints,
  books.sendPayouts,
  impact.lookAtMembers,
  matches.announceInterests,
  matches.computeAllMatches,
  matches.computeJobMatches,
  matches.computeMemberMatches,
  matches.computeOrganisationMatches,
  matches.countReach,
  matches.forgetChanges,
  matches.expireMatches,
  matches.fillEmptyLists,
  matches.explainMatches,
  matches.generateExplanation,
  matches.reopenJob,
  jobs.readDueBoards,
  jobs.readDailyBoard,
  jobs.sendBoardPause,
  candidates.endInvitations,
  candidates.sendCandidateInvitation,
  partners.followInvitation,
  partners.followOrders,
  partners.reportView,
  placements.openStages,
  exports.measurePopulation,
  learning.learnFromOutcomes,
  learning.promoteVersion,
  notifications.notifyMember,
  notifications.notifyOfAcceptance,
  notifications.notifyOfDecline,
  notifications.notifyOfFeedback,
  notifications.notifyOfOffer,
  notifications.notifyOfRead,
  notifications.notifyOfResults,
  notifications.notifyOfRevocation,
  notifications.remindOfAssessment,
  notifications.sendMatchMail,
  notifications.sendMemberNotice,
  notifications.sendRevocationMail,
  notifications.sendDigest,
  notifications.sendDigests,
  payments.reconcilePayments,
  payments.forgetChallenges,
  reads.finishReads,
  reads.forgetQuotes,
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
  sandbox.moveClock,
  sso.forgetLogins,
  operator.drillNightly,
  tasks.cleanUp,
  accounts.sendAccountLink,
  traits.sendMirrorLink,
  traits.sendVolunteerMail,
  traits.inviteVolunteers,
  traits.forgetVolunteers,
  traits.estimateParameters,
  traits.rescoreAnswers,
  traits.rescoreMember,
  offers.followPlacement,
  offers.forgetOffers,
  offers.offerAssessment,
  offers.openOffers,
  offers.withdrawAssessmentOffers,
  offers.withdrawMatchOffers,
  wallets.forgetOffers,
  webhooks.distributeAttestation,
  webhooks.distributeToOrganisation,
  webhooks.deliverEvents,
  webhooks.forgetDeliveries,
  webhooks.forgetStreams,
  webhooks.removeHistory,
  webhooks.resumeDeliveries,
  webhooks.sendDeactivation,
];
