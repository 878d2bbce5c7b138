import * as auth from '#modules/access/auth';
import * as consent from '#modules/people/consent';
import * as credentials from '#modules/credentials/credentials';
import * as culture from '#modules/organisations/culture';
import * as grants from '#modules/access/grants';
import * as feedback from '#modules/matching/feedback';
import * as jobs from '#modules/matching/jobs';
import * as marketplace from '#modules/income/marketplace';
import * as matching from '#modules/matching/matching';
import * as members from '#modules/people/members';
import * as oauth from '#modules/access/oauth';
import * as notifications from '#modules/operations/notifications';
import * as queries from '#modules/income/queries';
import * as reviews from '#modules/matching/reviews';
import * as rights from '#modules/people/rights';
import * as selfIdentification from '#modules/people/self-identification';
import * as traits from '#modules/measurement/traits';
import * as webhooks from '#modules/operations/webhooks';
import { on, type EventRow } from '#platform/queue/event.ts';

/** TABLE 6: every event, and the tasks that it starts with its data. */
export const eventTable: readonly EventRow[] = [
  on(auth.accountDisplaced, rights.scheduleErasure),
  on(grants.grantRevoked, oauth.removeTokens),
  on(auth.organisationResumed, matching.computeOrganisationMatches),
  on(consent.consentWithdrawn, selfIdentification.removeAnswers),
  on(
    members.memberDeployed,
    traits.rescoreMember,
    matching.computeMemberMatches,
    selfIdentification.removeUnofferedAnswers,
  ),
  on(
    members.memberUndeployed,
    matching.computeMemberMatches,
    reviews.endReviews,
    selfIdentification.removeUnofferedAnswers,
  ),
  on(members.memberWithdrawn, matching.computeMemberMatches, reviews.endReviews),
  on(members.memberChanged, matching.computeMemberMatches, selfIdentification.removeUnofferedAnswers),
  on(traits.traitsMeasured, matching.computeMemberMatches),
  on(traits.vectorsSwitched, matching.computeAllMatches),
  on(culture.culturePublished, matching.computeOrganisationMatches),
  on(jobs.jobCreated, matching.computeJobMatches),
  on(jobs.jobActivated, matching.reopenJob),
  on(jobs.jobChanged, matching.computeJobMatches),
  on(jobs.jobClosed, matching.expireMatches),
  on(matching.matchProposed, notifications.notifyMember, webhooks.distributeMatchEvent),
  on(matching.matchAccepted, notifications.notifyOfAcceptance, webhooks.distributeMatchEvent),
  on(matching.matchDeclined, notifications.notifyOfDecline, webhooks.distributeMatchEvent),
  on(matching.placementCreated, webhooks.distributeMatchEvent),
  on(matching.placementUpdated, webhooks.distributeMatchEvent),
  on(queries.readRecorded, notifications.notifyOfRead),
  on(queries.purchaseFinished, marketplace.recordTransaction),
  on(reviews.reviewChanged, reviews.notifyOfReview),
  on(feedback.stageOpened, notifications.notifyOfFeedback),
  on(credentials.attestationIssued, webhooks.distributeAttestation),
  on(credentials.attestationRevoked, webhooks.distributeAttestation),
];
