import type { Row } from '#platform/http/row.ts';
import { boardRows } from './boards.ts';
import { operatorRows } from './operator-rows.ts';
import { row } from './row.ts';
import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import * as stubs from '#modules/income/stubs';
import * as archetypes from '#modules/measurement/archetypes';
import * as audit from '#modules/operations/audit';
import * as accounts from '#modules/access/accounts';
import * as consent from '#modules/people/consent';
import * as achievements from '#modules/credentials/achievements';
import * as offers from '#modules/credentials/offers';
import * as credentials from '#modules/credentials/credentials';
import * as culture from '#modules/organisations/culture';
import * as directories from '#modules/access/directories';
import * as exports from '#modules/operations/exports';
import * as agents from '#modules/access/agents';
import * as placements from '#modules/matching/placements';
import * as jobs from '#modules/matching/jobs';
import * as learning from '#modules/matching/learning';
import * as impact from '#modules/matching/impact';
import * as candidates from '#modules/matching/candidates';
import * as partners from '#modules/matching/partners';
import * as matches from '#modules/matching/matches';
import * as members from '#modules/people/members';
import * as notifications from '#modules/operations/notifications';
import * as orgs from '#modules/organisations/orgs';
import * as orgUsers from '#modules/organisations/org-users';
import * as payments from '#modules/income/payments';
import * as reviews from '#modules/matching/reviews';
import * as rights from '#modules/people/rights';
import * as selfIdentification from '#modules/people/self-identification';
import * as serviceKeys from '#modules/access/service-keys';
import * as sso from '#modules/access/sso';
import * as sandbox from '#modules/operations/sandbox';
import * as tasks from '#modules/operations/tasks';
import * as traits from '#modules/measurement/traits';
import * as foreignCredentials from '#modules/credentials/foreign-credentials';
import * as waiting from '#modules/operations/waiting';
import * as wallets from '#modules/credentials/wallets';
import * as webhooks from '#modules/operations/webhooks';

/**
 * TABLE 1, under `/api/v1`: the specification's 76 rows in its order. The operation's name is its file:
 * `accounts.registerUser` is `register-user.ts` in `src/modules/access/accounts`, where `who` says which roles may call it.
 */
export const specifiedRows: readonly Row[] = [
  // Authentication
  row('POST', '/auth/register', 'public', accounts.registerUser),
  row('POST', '/auth/login', 'public', accounts.logIn),
  row('POST', '/auth/refresh', 'public', accounts.refreshSession),
  row('POST', '/auth/logout', 'public', accounts.logOut),
  row('GET', '/auth/me', 'jwt', accounts.readMe),
  row('POST', '/auth/forgot-password', 'public', accounts.forgotPassword),
  row('POST', '/auth/reset-password', 'public', accounts.resetPassword),
  row('POST', '/auth/mfa/setup', 'jwt', accounts.setUpMfa),
  row('POST', '/auth/mfa/verify', 'jwt', accounts.verifyMfa),
  row('POST', '/auth/mfa/disable', 'jwt', accounts.disableMfa),
  row('POST', '/auth/mfa/authenticate', 'public', accounts.authenticateMfa),

  // Jobs (organisation)
  row('POST', '/orgs/me/jobs', 'jwt', jobs.createJob),
  row('GET', '/orgs/me/jobs', 'jwt', jobs.listJobs),
  row('GET', '/orgs/me/jobs/{job_id}', 'jwt', jobs.readJob),
  row('PATCH', '/orgs/me/jobs/{job_id}', 'jwt', jobs.updateJob),
  row('DELETE', '/orgs/me/jobs/{job_id}', 'jwt', jobs.closeJob),
  row('GET', '/orgs/me/jobs/{job_id}/matches', 'jwt', matches.listJobMatches),
  row('POST', '/orgs/me/jobs/{job_id}/recompute-matches', 'jwt', matches.recomputeMatches),

  // Matches
  row('GET', '/matches/{match_id}', 'jwt', matches.readMatch),
  row('GET', '/matches/{match_id}/explanation', 'jwt', matches.readExplanation),
  row('POST', '/matches/{match_id}/feedback', 'jwt', placements.giveFeedback),
  row('GET', '/matches/{match_id}/feedback', 'jwt', placements.listFeedback),
  row('POST', '/matches/{match_id}/outcome', 'jwt', placements.recordOutcome),
  row('PUT', '/matches/{match_id}/status', 'jwt', matches.setMatchStatus),
  row('POST', '/matches/compute', 'jwt', matches.computeMatches, { from: 'query' }),
  row('GET', '/matches/job/{job_id}', 'jwt', matches.listMatchesByJob),
  row('GET', '/matches/member/{member_id}', 'jwt', matches.listMatchesByMember),

  // Members
  row('GET', '/members/me', 'jwt', members.readMember),
  row('DELETE', '/members/me', 'jwt', rights.deleteAccount),
  row('PUT', '/members/me/profile', 'jwt', members.updateProfile),
  row('GET', '/members/me/traits', 'jwt', traits.readTraits),
  row('GET', '/members/me/archetype', 'jwt', archetypes.readArchetype),
  row('GET', '/members/me/matches', 'jwt', matches.listMemberMatches),
  row('GET', '/members/me/consent', 'jwt', consent.readConsent),
  row('POST', '/members/me/consent', 'jwt', consent.recordConsent),
  row('POST', '/members/me/consent/withdraw-all', 'jwt', rights.withdrawAllConsent),
  row('POST', '/members/me/data-export', 'jwt', rights.startDataExport),
  row('GET', '/members/me/earnings', 'jwt', books.readEarnings),
  row('GET', '/members/me/legibility', 'jwt', reads.readLegibility),

  // Credential queries
  row('POST', '/orgs/queries/credential', 'x402', reads.createRead),
  row('GET', '/orgs/queries/earnings/summary', 'jwt', books.readSummary),
  row('GET', '/orgs/queries/earnings/history', 'jwt', books.listHistory),
  row('GET', '/orgs/queries/consent/config', 'jwt', consent.readQueryConsent),
  row('PUT', '/orgs/queries/consent/category', 'jwt', consent.setQueryCategory),

  // Identity claim
  row('GET', '/identity/stub/{claim_code}', 'public', stubs.readStub),
  row('POST', '/identity/claim', 'public', stubs.claimIdentity),

  // Organisations
  row('GET', '/orgs/me', 'jwt', orgs.readOrganisation),
  row('PATCH', '/orgs/me', 'jwt', orgs.updateOrganisation),
  row('GET', '/orgs/me/culture-profile', 'jwt', culture.readProfile),
  row('GET', '/orgs/me/culture-profile/questionnaire', 'jwt', culture.readQuestionnaire),
  row('GET', '/orgs/me/matches', 'jwt', matches.listOrganisationMatches),
  row('POST', '/orgs/{org_id}/sso/configure', 'jwt', sso.configureSso),
  row('GET', '/orgs/{org_id}/sso/configuration', 'jwt', sso.readConfiguration),

  // Credentials
  row('POST', '/credentials/issue', 'jwt', credentials.issueCredential),
  row('GET', '/credentials/', 'jwt', credentials.listCredentials),
  row('GET', '/credentials/{credential_id}', 'jwt', credentials.readCredential),
  row('GET', '/credentials/{credential_id}/verify', 'public', credentials.verifyCredential),
  row('GET', '/credentials/verify', 'public', credentials.verifyAttestation),
  row('POST', '/credentials/{credential_id}/revoke', 'jwt', credentials.revokeCredential),
  row('GET', '/credentials/.well-known/service-keys.json', 'public', credentials.readServiceKeys),

  // Exports
  row('GET', '/exports/member/{member_id}/gdpr-data', 'jwt', rights.exportMemberData),
  row('GET', '/exports/org/{org_id}/bias-report', 'jwt', exports.exportBiasReport),
  row('GET', '/exports/org/{org_id}/matches', 'jwt', exports.exportMatches),
  row('GET', '/exports/match/{match_id}/detail-report', 'jwt', exports.exportMatchReport),

  // Marketplace
  row('POST', '/marketplace/transactions', 'jwt', reads.createMarketplaceRead),
  row('GET', '/marketplace/my-earnings', 'jwt', reads.listMemberMarketplaceReads),
  row('GET', '/marketplace/my-purchases', 'jwt', reads.listOrganisationMarketplaceReads),
  row('GET', '/marketplace/transactions/{transaction_id}', 'jwt', reads.readMarketplaceRead),

  // Webhooks
  row('POST', '/webhooks/', 'jwt', webhooks.createSubscription),
  row('GET', '/webhooks/', 'jwt', webhooks.listSubscriptions),
  row('GET', '/webhooks/{subscription_id}', 'jwt', webhooks.readSubscription),
  row('PATCH', '/webhooks/{subscription_id}', 'jwt', webhooks.updateSubscription),
  row('DELETE', '/webhooks/{subscription_id}', 'jwt', webhooks.deleteSubscription),
  row('GET', '/webhooks/{subscription_id}/deliveries', 'jwt', webhooks.listDeliveries),
  row('POST', '/webhooks/{subscription_id}/test', 'jwt', webhooks.sendTest),
  row('GET', '/webhooks/events', 'jwt', webhooks.listEvents),
];

/** Our additions to the specification, under the same prefix (docs/decisions/http-and-api.md). */
export const additionalRows: readonly Row[] = [
  row('POST', '/marketplace/transactions/{transaction_id}/decline', 'jwt', reads.declineProposal),
  row('POST', '/auth/registrations', 'public', accounts.requestAccount),
  row('POST', '/auth/registrations/open', 'public', accounts.openAccount),
  row('POST', '/auth/verify-email', 'public', accounts.verifyEmail),
  row('POST', '/auth/resend-verification', 'jwt', accounts.resendVerification),
  row('POST', '/auth/change-password', 'jwt', accounts.changePassword),
  row('POST', '/auth/change-email', 'jwt', accounts.changeEmail),
  row('PATCH', '/auth/me', 'jwt', accounts.updateMe),
  row('POST', '/auth/reauthenticate', 'jwt', accounts.reauthenticateUser),
  row('GET', '/auth/passkeys', 'jwt', accounts.listPasskeys),
  row('POST', '/auth/passkeys', 'jwt', accounts.addPasskey),
  row('POST', '/auth/passkeys/challenge', 'public', accounts.requestPasskeyChallenge),
  row('POST', '/auth/passkeys/authenticate', 'public', accounts.authenticatePasskey),
  row('PATCH', '/auth/passkeys/{passkey_id}', 'jwt', accounts.renamePasskey),
  row('DELETE', '/auth/passkeys/{passkey_id}', 'jwt', accounts.removePasskey),
  row('GET', '/auth/handles/{handle}', 'public', accounts.checkHandle),
  row('POST', '/auth/handles', 'public', accounts.createAccountByHandle),
  row('POST', '/auth/handles/login', 'public', accounts.logInByHandle),
  row('POST', '/auth/cancel-deletion', 'public', rights.cancelDeletion),
  row('PUT', '/orgs/{org_id}/sso/openid', 'jwt', sso.configureOpenid),
  row('GET', '/orgs/{org_id}/sso/openid', 'jwt', sso.readOpenid),
  row('POST', '/orgs/{org_id}/sso/domains/{domain}/verify', 'jwt', sso.verifyDomain),
  row('POST', '/auth/sso/discover', 'public', sso.findLogin),
  row('GET', '/auth/sso/{org_id}/login', 'public', sso.startLogin, { visited: true }),
  row('POST', '/auth/sso/{org_id}/acs', 'public', sso.finishLogin, { from: 'form', visited: true }),
  row('GET', '/auth/sso/{org_id}/callback', 'public', sso.finishOpenidLogin, { visited: true }),
  row('GET', '/auth/sso/{org_id}/metadata', 'public', sso.readMetadata),
  row('GET', '/auth/sessions', 'jwt', accounts.listSessions),
  row('DELETE', '/auth/sessions/{session_id}', 'jwt', accounts.endSession),
  row('GET', '/auth/grants', 'jwt', agents.listGrants),
  row('DELETE', '/auth/grants', 'jwt', agents.revokeGrants),
  row('PATCH', '/auth/grants/{grant_id}', 'jwt', agents.setSpendCap),
  row('DELETE', '/auth/grants/{grant_id}', 'jwt', agents.revokeGrant),
  row('DELETE', '/auth/grants/{grant_id}/tools/{tool}', 'jwt', agents.removeGrantTool),
  row('GET', '/members/me/engagement', 'jwt', members.readEngagement),
  row('GET', '/members/me/data-export/{task_id}', 'jwt', rights.readDataExport),
  row('POST', '/members/me/assessment', 'jwt', traits.startAssessment, { limit: traits.assessmentLimit }),
  row('POST', '/members/me/assessment/answers', 'jwt', traits.answerItem, { limit: traits.assessmentLimit }),
  row('POST', '/members/me/assessment/back', 'jwt', traits.undoAnswer, { limit: traits.assessmentLimit }),
  row('POST', '/first-mirror', 'public', traits.continueMirror, { limit: traits.mirrorLimit }),
  row('POST', '/first-mirror/send', 'public', traits.sendMirror, { limit: traits.mirrorLimit }),
  row('POST', '/first-mirror/keep', 'public', traits.keepMirror),
  row('POST', '/members/me/assessment/first-mirror', 'jwt', traits.addMirror),
  row('GET', '/volunteers', 'public', traits.readVolunteerTerms),
  row('POST', '/volunteers', 'public', traits.startVolunteer, { limit: traits.volunteerLimit }),
  row('POST', '/volunteers/retests', 'public', traits.setRetest),
  row('GET', '/volunteers/{code}', 'public', traits.readVolunteer, { limit: traits.volunteerLimit }),
  row('DELETE', '/volunteers/{code}', 'public', traits.deleteVolunteer, { limit: traits.volunteerLimit }),
  row('POST', '/volunteers/{code}/answers', 'public', traits.answerVolunteerItem, {
    limit: traits.volunteerLimit,
  }),
  row('POST', '/volunteers/{code}/retest', 'public', traits.requestRetest),
  row('GET', '/members/me/traits/versions', 'jwt', traits.listVectors),
  row('POST', '/orgs/me/jobs/{job_id}/decisions', 'jwt', matches.decideMatches),
  row('POST', '/orgs/me/jobs/{job_id}/decisions/{decision_id}/undo', 'jwt', matches.undoDecision),
  row('POST', '/matches/{match_id}/response', 'jwt', matches.respondToMatch),
  row('GET', '/matches/{match_id}/job', 'jwt', matches.readMatchJob),
  row('GET', '/matches/{match_id}/requirements', 'jwt', matches.readRequirements),
  row('GET', '/matches/{match_id}/contact', 'jwt', matches.readContact),
  row('GET', '/matches/{match_id}/note', 'jwt', matches.readPrivateNote),
  row('PUT', '/matches/{match_id}/note', 'jwt', matches.setPrivateNote),
  row('PUT', '/matches/{match_id}/reference', 'jwt', matches.setReference),
  row('GET', '/orgs/me/jobs/{job_id}/references', 'jwt', matches.listReferences),
  row('GET', '/orgs/me/jobs/{job_id}/table', 'jwt', matches.readTable),
  row('POST', '/orgs/me/jobs/{job_id}/visits', 'jwt', jobs.recordVisit),
  row('GET', '/orgs/me/table-views', 'jwt', matches.listViews),
  row('POST', '/orgs/me/table-views', 'jwt', matches.saveView),
  row('DELETE', '/orgs/me/table-views/{view_id}', 'jwt', matches.deleteView),
  row('POST', '/matches/{match_id}/outcome/correction', 'jwt', placements.correctPlacement),
  row('GET', '/matches/{match_id}/outcomes', 'jwt', placements.listOutcomes),
  row('POST', '/matches/{match_id}/review', 'jwt', reviews.requestReview),
  row('GET', '/matches/{match_id}/reviews', 'jwt', reviews.listReviews),
  row('POST', '/matches/{match_id}/review/withdraw', 'jwt', reviews.withdrawReview),
  row('POST', '/matches/{match_id}/review/answer', 'jwt', reviews.answerReview),
  row('GET', '/orgs/me/reviews', 'jwt', reviews.listOrganisationReviews),
  row('GET', '/members/me/matching-preferences', 'jwt', matches.readPreferences),
  row('PUT', '/members/me/matching-preferences', 'jwt', matches.setPreferences),
  row('GET', '/members/me/self-identification', 'jwt', selfIdentification.readSelfIdentification),
  row('PUT', '/members/me/self-identification', 'jwt', selfIdentification.setSelfIdentification),
  row('GET', '/members/me/notifications', 'jwt', notifications.readMemberSettings),
  row('PUT', '/members/me/notifications', 'jwt', notifications.setMemberSettings),
  row('GET', '/orgs/me/notifications', 'jwt', notifications.readUserSettings),
  row('PUT', '/orgs/me/notifications', 'jwt', notifications.setUserSettings),
  row('GET', '/members/me/waiting', 'jwt', waiting.readMemberWaiting),
  row('GET', '/orgs/me/waiting', 'jwt', waiting.readOrganisationWaiting),
  row('GET', '/orgs/me/jobs/{job_id}/following', 'jwt', jobs.readFollowing),
  row('PUT', '/orgs/me/jobs/{job_id}/following', 'jwt', jobs.setFollowing),
  row('GET', '/members/me/consent/history', 'jwt', consent.listConsentHistory),
  row('POST', '/orgs/me/jobs/reach', 'jwt', matches.estimateReach),
  row('POST', '/orgs/me/jobs/impact', 'jwt', impact.previewImpact),
  row('POST', '/orgs/me/jobs/reach/tiers', 'jwt', impact.previewReach),
  row('GET', '/orgs/me/jobs/limits', 'jwt', jobs.readLimits),
  row('GET', '/orgs/me/example-shortlist', 'jwt', matches.readExample),
  row('POST', '/orgs/me/jobs/import', 'jwt', jobs.importJobs),
  row('POST', '/orgs/me/jobs/import/address', 'jwt', jobs.importFromAddress),
  row('POST', '/orgs/me/jobs/import/table', 'jwt', jobs.importTable),
  ...boardRows,
  row('GET', '/orgs/me/jobs/{job_id}/posting', 'jwt', jobs.exportPosting),
  row('POST', '/members/me/payouts', 'jwt', books.requestPayout),
  row('GET', '/members/me/payouts', 'jwt', books.listPayouts),
  row('GET', '/members/me/payouts/{payout_id}/receipt', 'jwt', books.exportPayoutReceipt),
  row('GET', '/members/me/reads/{read_id}/receipt', 'jwt', reads.exportMemberReceipt),
  row('GET', '/members/me/previews/explanation', 'jwt', matches.previewExplanation),
  row('GET', '/members/me/previews/read', 'jwt', reads.previewRead),
  row('GET', '/consent-texts', 'public', consent.listConsentTexts),
  row('GET', '/taxonomy/traits', 'public', traits.readTaxonomy),
  row('GET', '/taxonomy/archetypes', 'public', archetypes.listArchetypes),
  row('GET', '/model-card', 'public', learning.readModelCard),
  row('GET', '/technical-report', 'public', traits.readTechnicalReport),
  row('GET', '/fairness', 'public', exports.readFairness),
  row('GET', '/prices', 'public', reads.readPrices),
  row('GET', '/example/traits', 'public', traits.readExampleTraits),
  row('GET', '/example/match', 'public', matches.readExampleMatch),
  row('GET', '/example/read', 'public', reads.readExampleRead),
  row('POST', '/orgs/me/culture-profile/responses', 'jwt', culture.answerQuestionnaire),
  row('GET', '/orgs/me/culture-profile/draft', 'jwt', culture.readDraft),
  row('PATCH', '/orgs/me/culture-profile/draft', 'jwt', culture.saveDraft),
  row('DELETE', '/orgs/me/culture-profile/draft', 'jwt', culture.deleteDraft),
  row('GET', '/orgs/me/culture-profile/declaration', 'jwt', culture.readDeclaration),
  row('POST', '/orgs/me/culture-profile/declaration', 'jwt', culture.declareProfile),
  row('GET', '/job-templates', 'public', jobs.searchTemplates),
  row('POST', '/job-outline', 'public', matches.outlineJob),
  row('POST', '/identity/stubs', 'public', stubs.createStub),
  row('DELETE', '/identity/stub/{claim_code}', 'public', stubs.deleteStub),
  row('POST', '/identity/stubs/{claim_code}/observations', 'public', stubs.addStubObservations),
  row('GET', '/tasks/{task_id}', 'jwt', tasks.readTask),
  row('GET', '/orgs/me/jobs/{job_id}/invitations', 'jwt', candidates.listCandidateInvitations),
  row('POST', '/orgs/me/jobs/{job_id}/invitations', 'jwt', candidates.inviteCandidate),
  row('GET', '/orgs/me/jobs/{job_id}/invitations/{invitation_id}', 'jwt', candidates.readCandidateInvitation),
  row(
    'POST',
    '/orgs/me/jobs/{job_id}/invitations/{invitation_id}/resend',
    'jwt',
    candidates.resendCandidateInvitation,
  ),
  row(
    'POST',
    '/orgs/me/jobs/{job_id}/invitations/{invitation_id}/cancel',
    'jwt',
    candidates.cancelCandidateInvitation,
  ),
  row('POST', '/invitations/open', 'public', candidates.openCandidateInvitation),
  row('POST', '/invitations/answer', 'public', candidates.answerCandidateInvitation),
  row('GET', '/members/me/invitations', 'jwt', candidates.listMemberInvitations),
  row('POST', '/members/me/invitations/{invitation_id}', 'jwt', candidates.answerMemberInvitation),
  row('GET', '/orgs/me/partners', 'jwt', partners.listConnections),
  row('PUT', '/orgs/me/partners/{partner}', 'jwt', partners.setConnection),
  row('DELETE', '/orgs/me/partners/{partner}', 'jwt', partners.deleteConnection),
  row('GET', '/sandbox', 'jwt', sandbox.readSandbox),
  row('POST', '/sandbox/clock', 'jwt', sandbox.advanceClock),
  row('POST', '/sandbox/year', 'jwt', sandbox.startYear),
  row('DELETE', '/sandbox/year', 'jwt', sandbox.cancelYear),
  row('GET', '/orgs/me/users', 'jwt', orgUsers.listUsers),
  row('GET', '/orgs/me/directory-groups', 'jwt', directories.listDirectoryGroups),
  row('PUT', '/orgs/me/directory-groups/{group_id}/role', 'jwt', directories.setGroupRole),
  row('POST', '/orgs/me/users', 'jwt', orgUsers.inviteUser),
  row('PATCH', '/orgs/me/users/{user_id}', 'jwt', orgUsers.changeUserRole),
  row('DELETE', '/orgs/me/users/{user_id}', 'jwt', orgUsers.removeUser),
  row('GET', '/orgs/me/service-keys', 'jwt', serviceKeys.listServiceKeys),
  row('POST', '/orgs/me/service-keys', 'jwt', serviceKeys.createServiceKey),
  row('POST', '/orgs/me/service-keys/public', 'jwt', serviceKeys.registerPublicKey),
  row('PUT', '/orgs/me/service-keys/{service_key_id}/public-key', 'jwt', serviceKeys.replacePublicKey),
  row('POST', '/orgs/me/service-keys/{service_key_id}/rotate', 'jwt', serviceKeys.rotateServiceKey),
  row('DELETE', '/orgs/me/service-keys/{service_key_id}', 'jwt', serviceKeys.revokeServiceKey),
  row('GET', '/orgs/me/service-keys/{service_key_id}/requests', 'jwt', serviceKeys.listKeyRequests),
  row('POST', '/service-keys/report', 'public', serviceKeys.reportServiceKey),
  row('GET', '/oauth/interactions/{uid}', 'public', agents.readInteraction),
  row('POST', '/oauth/interactions/{uid}/consent', 'jwt', agents.finishConsent),
  row('POST', '/oauth/interactions/{uid}/denial', 'public', agents.denyInteraction),
  row('POST', '/orgs/me/users/{user_id}/resend-invitation', 'jwt', orgUsers.resendInvitation),
  row('POST', '/auth/accept-invitation', 'public', orgUsers.acceptInvitation),
  row('GET', '/orgs/queries/reads', 'jwt', reads.listReads),
  row('GET', '/orgs/queries/reads/{read_id}/receipt', 'jwt', reads.exportOrganisationReceipt),
  row('GET', '/orgs/queries/usage', 'jwt', reads.readAllowance),
  row('GET', '/orgs/me/balance', 'jwt', books.readBalance),
  row('POST', '/orgs/me/balance', 'jwt', books.announceTopUp),
  row('PATCH', '/orgs/me/balance', 'jwt', books.setBalanceWarning),
  row('GET', '/orgs/me/balance/statement', 'jwt', books.exportStatement),
  row('POST', '/orgs/me/wallets/challenge', 'jwt', payments.createChallenge),
  row('POST', '/orgs/me/wallets', 'jwt', payments.bindWallet),
  row('GET', '/orgs/me/wallets', 'jwt', payments.listWallets),
  row('DELETE', '/orgs/me/wallets/{wallet_id}', 'jwt', payments.unbindWallet),
  row('GET', '/audit-log', 'jwt', audit.readAuditLog),
  row('GET', '/audit-log/head', 'jwt', audit.readAuditHead),
  row('POST', '/credentials/verify', 'public', foreignCredentials.verifyCredentialText),
  row('PUT', '/credentials/{credential_id}/visibility', 'jwt', credentials.setVisibility),
  row('GET', '/credentials/{credential_id}/data-integrity', 'jwt', credentials.readDataIntegrity),
  row('GET', '/credentials/{credential_id}/open-badge', 'jwt', credentials.readOpenBadge),
  row('POST', '/credentials/{credential_id}/offer', 'jwt', wallets.createOffer),
  row('GET', '/orgs/me/achievements', 'jwt', achievements.listAchievements),
  row('POST', '/orgs/me/achievements', 'jwt', achievements.createAchievement),
  row('PATCH', '/orgs/me/achievements/{achievement_id}', 'jwt', achievements.updateAchievement),
  row('GET', '/orgs/me/credentials', 'jwt', offers.listAttestations),
  row('POST', '/orgs/me/credentials', 'jwt', offers.offerCredential),
  row('POST', '/orgs/me/credentials/import', 'jwt', offers.importAttestations),
  row('POST', '/orgs/me/credentials/{offer_id}/revoke', 'jwt', offers.revokeAttestation),
  row('GET', '/members/me/credential-offers', 'jwt', offers.listOffers),
  row('POST', '/members/me/credential-offers/{offer_id}', 'jwt', offers.answerOffer),
  row('GET', '/credentials/status-lists/{list_id}', 'public', credentials.readStatusList),
  row('GET', '/credentials/token-status-lists/{list_id}', 'public', credentials.readTokenStatusList),
  row('POST', '/webhooks/streams', 'jwt', webhooks.openStream),
  row('POST', '/webhooks/streams/{subscription_id}/deliveries', 'jwt', webhooks.fetchDeliveries, {
    limit: webhooks.listeningLimit,
  }),
  row('POST', '/webhooks/streams/{subscription_id}/outcomes', 'jwt', webhooks.reportDeliveries, {
    limit: webhooks.listeningLimit,
  }),
  row('POST', '/webhooks/{subscription_id}/rotate-secret', 'jwt', webhooks.rotateSecret),
  row('POST', '/webhooks/{subscription_id}/recover', 'jwt', webhooks.recoverDeliveries),
  row('GET', '/webhooks/{subscription_id}/deliveries/{delivery_id}', 'jwt', webhooks.readDelivery),
  row('POST', '/webhooks/{subscription_id}/deliveries/{delivery_id}/replay', 'jwt', webhooks.replayDelivery),

  // The operator (docs/decisions/console.md)
  ...operatorRows,
];
