import * as reads from '#modules/income/reads';
import * as accounts from '#modules/access/accounts';
import * as consent from '#modules/people/consent';
import * as offers from '#modules/credentials/offers';
import * as candidates from '#modules/matching/candidates';
import * as partners from '#modules/matching/partners';
import * as credentials from '#modules/credentials/credentials';
import * as culture from '#modules/organisations/culture';
import * as agents from '#modules/access/agents';
import * as placements from '#modules/matching/placements';
import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import * as members from '#modules/people/members';
import * as notifications from '#modules/operations/notifications';
import * as reviews from '#modules/matching/reviews';
import * as rights from '#modules/people/rights';
import * as selfIdentification from '#modules/people/self-identification';
import * as traits from '#modules/measurement/traits';
import * as webhooks from '#modules/operations/webhooks';
import { on, type EventRow } from '#platform/queue/event.ts';

/** TABLE 6: every event, and the tasks that it starts with its data. */
export const eventTable: readonly EventRow[] = [
  on(accounts.accountDisplaced, rights.scheduleErasure),
  on(agents.grantRevoked, agents.removeTokens),
  on(accounts.organisationResumed, matches.computeOrganisationMatches),
  on(consent.consentWithdrawn, selfIdentification.removeAnswers, offers.withdrawAssessmentOffers),
  on(
    members.memberDeployed,
    traits.rescoreMember,
    matches.computeMemberMatches,
    selfIdentification.removeUnofferedAnswers,
  ),
  on(
    members.memberUndeployed,
    matches.computeMemberMatches,
    reviews.endReviews,
    selfIdentification.removeUnofferedAnswers,
  ),
  on(members.memberWithdrawn, matches.computeMemberMatches, reviews.endReviews),
  on(members.memberChanged, matches.computeMemberMatches, selfIdentification.removeUnofferedAnswers),
  on(traits.traitsMeasured, matches.computeMemberMatches),
  on(traits.assessmentStarted, notifications.remindOfAssessment),
  on(traits.stageEnded, notifications.notifyOfResults, offers.offerAssessment),
  on(traits.vectorsSwitched, matches.computeAllMatches),
  on(culture.culturePublished, matches.computeOrganisationMatches),
  on(jobs.jobCreated, matches.computeJobMatches),
  on(jobs.jobActivated, matches.reopenJob),
  on(jobs.jobChanged, matches.computeJobMatches),
  on(jobs.jobClosed, matches.expireMatches, webhooks.distributeToOrganisation),
  on(matches.matchProposed, notifications.notifyMember, webhooks.distributeToOrganisation),
  on(matches.interestWithdrawn, webhooks.distributeToOrganisation),
  on(matches.matchAccepted, notifications.notifyOfAcceptance, webhooks.distributeToOrganisation),
  on(matches.matchDeclined, notifications.notifyOfDecline, webhooks.distributeToOrganisation),
  on(matches.matchWithdrawn, webhooks.distributeToOrganisation, offers.withdrawMatchOffers),
  on(matches.matchReopened, webhooks.distributeToOrganisation),
  on(matches.matchExpired, webhooks.distributeToOrganisation),
  on(candidates.invitationUpdated, webhooks.distributeToOrganisation, partners.followInvitation),
  on(matches.placementCreated, webhooks.distributeToOrganisation, offers.followPlacement),
  on(matches.placementUpdated, webhooks.distributeToOrganisation, offers.followPlacement),
  on(reads.readRecorded, notifications.notifyOfRead),
  on(reviews.reviewChanged, reviews.notifyOfReview),
  on(placements.stageOpened, notifications.notifyOfFeedback),
  on(offers.offerOpened, notifications.notifyOfOffer),
  on(offers.offerRevoked, notifications.notifyOfRevocation),
  on(credentials.attestationIssued, webhooks.distributeAttestation),
  on(credentials.attestationRevoked, webhooks.distributeAttestation),
];
