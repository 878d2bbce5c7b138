import { orgRoles, roles } from '#lib/caller.ts';
import { appearancePage } from '../web/account/appearance.ts';
import { confirmPage } from '../web/account/confirm.ts';
import { dataFilePage, dataPage, deletePage } from '../web/account/data.ts';
import { devicesPage } from '../web/account/devices.ts';
import { emailPage } from '../web/account/email.ts';
import { mfaPage } from '../web/account/mfa.ts';
import { notificationsPage } from '../web/account/notifications.ts';
import { accountPage } from '../web/account/overview.ts';
import { passkeysPage } from '../web/account/passkeys.ts';
import { passwordPage } from '../web/account/password.ts';
import { acceptInvitationPage } from '../web/entrance/accept-invitation.ts';
import {
  accountClosedPage,
  accountKeptPage,
  cancelDeletionPage,
  verifyEmailPage,
} from '../web/entrance/verify-email.ts';
import { claimPage } from '../web/entrance/claim.ts';
import { forgotPasswordPage, resetPasswordPage } from '../web/entrance/forgot-password.ts';
import { firstMirrorPage } from '../web/entrance/first-mirror.ts';
import { sciencePage, scienceRetestPage, scienceTestPage } from '../web/entrance/science.ts';
import { invitationPage } from '../web/entrance/invitation.ts';
import { openAccountPage } from '../web/entrance/open-account.ts';
import { keepMirrorPage } from '../web/entrance/keep-mirror.ts';
import { landingPage } from '../web/entrance/landing.ts';
import { modelCardPage } from '../web/entrance/model-card.ts';
import { registerPage } from '../web/entrance/register.ts';
import { signInPage } from '../web/entrance/sign-in.ts';
import { fairnessPage } from '../web/front/fairness.ts';
import { forEmployersPage } from '../web/front/for-employers.ts';
import { howItWorksPage } from '../web/front/how-it-works.ts';
import { aboutPage, privacyPage, termsPage } from '../web/front/operator-pages.ts';
import { pricesPage } from '../web/front/prices.ts';
import { technicalReportPage } from '../web/front/technical-report.ts';
import { transparencyPage } from '../web/front/transparency.ts';
import { homePage } from '../web/home.ts';
import { agentsPage } from '../web/agents/agents.ts';
import { chooseHandlePage } from '../web/agents/choose-handle.ts';
import { interactionPage } from '../web/agents/interaction.ts';
import { spendLimitPage } from '../web/agents/spend-limit.ts';
import { archetypePage } from '../web/member/archetype.ts';
import { assessmentPage } from '../web/member/assessment.ts';
import { consentPage, withdrawAllPage } from '../web/member/consent/consent.ts';
import { consentTypePage } from '../web/member/consent/consent-type.ts';
import {
  credentialPage,
  credentialPdfPage,
  revokeCredentialPage,
} from '../web/member/credentials/credential.ts';
import { credentialsPage } from '../web/member/credentials/credentials.ts';
import { issueCredentialPage } from '../web/member/credentials/issue-credential.ts';
import { payoutReceiptPage, readReceiptPage } from '../web/member/receipts.ts';
import { incomePage } from '../web/member/income.ts';
import { ownInvitationsPage } from '../web/member/invitations.ts';
import { matchPage } from '../web/member/match.ts';
import { matchesPage } from '../web/member/matches.ts';
import { payoutPage } from '../web/member/payout.ts';
import { preferencesPage } from '../web/member/preferences.ts';
import { profilePage } from '../web/member/profile-page.ts';
import { proposeReadPage } from '../web/member/propose-read.ts';
import { reviewPage } from '../web/member/review.ts';
import { rightsPage } from '../web/member/rights.ts';
import { selfIdentificationPage } from '../web/member/self-identification.ts';
import { ownTransactionsPage } from '../web/member/transactions.ts';
import { resultsPdfPage } from '../web/member/results/results-pdf.ts';
import { traitsPage } from '../web/member/traits.ts';
import { assessmentLimit, mirrorLimit, volunteerLimit } from '#modules/measurement/traits';
import { badgePicturePage } from '../web/member/credentials/badge-panel.ts';
import { walletPage } from '../web/member/credentials/wallet.ts';
import { banksPage, bankVersionPage } from '../web/operator/banks.ts';
import { calibrationPage } from '../web/operator/calibration.ts';
import { failuresPage } from '../web/operator/failures.ts';
import { findingsPage } from '../web/operator/findings.ts';
import { healthPage } from '../web/operator/health.ts';
import { operatorHomePage } from '../web/operator/home.ts';
import { keyPage, keysPage } from '../web/operator/keys.ts';
import { policiesPage } from '../web/operator/policies.ts';
import { ledgerPage } from '../web/operator/ledger.ts';
import { matchingPage } from '../web/operator/matching.ts';
import { organisationPage as operatedOrganisationPage } from '../web/operator/organisation.ts';
import { organisationsPage } from '../web/operator/organisations.ts';
import { queuePage } from '../web/operator/queue.ts';
import { resetMfaPage } from '../web/operator/reset-mfa.ts';
import { overdueReviewsPage } from '../web/operator/reviews.ts';
import { topUpsPage } from '../web/operator/top-ups.ts';
import { userPage } from '../web/operator/user.ts';
import { usersPage } from '../web/operator/users.ts';
import { auditHeadPage, auditPage } from '../web/organisation/audit.ts';
import { culturePage } from '../web/organisation/culture/culture.ts';
import { achievementsPage } from '../web/organisation/attestations/achievements.ts';
import { attestTablePage } from '../web/organisation/attestations/attest-table.ts';
import { attestationsPage } from '../web/organisation/attestations/attestations.ts';
import { newAttestationPage } from '../web/organisation/attestations/new-attestation.ts';
import { declarationPage } from '../web/organisation/culture/declaration.ts';
import { questionnairePage } from '../web/organisation/culture/questionnaire.ts';
import { examplePage } from '../web/organisation/example.ts';
import { closeJobPage } from '../web/organisation/jobs/close-job.ts';
import { editJobPage } from '../web/organisation/jobs/edit-job.ts';
import { importJobsPage } from '../web/organisation/jobs/import-jobs.ts';
import { jobInvitationsPage } from '../web/organisation/jobs/invitations.ts';
import { jobsPage } from '../web/organisation/jobs/jobs.ts';
import { newJobPage } from '../web/organisation/jobs/new-job.ts';
import { postingFilePage } from '../web/organisation/jobs/posting-file.ts';
import { reachPage } from '../web/organisation/jobs/reach-page.ts';
import { leavePage } from '../web/organisation/leave.ts';
import { organisationPage } from '../web/organisation/organisation.ts';
import { peoplePage } from '../web/organisation/people/people.ts';
import { personPage } from '../web/organisation/people/person.ts';
import { newReadPage } from '../web/organisation/reads/new-read.ts';
import { proposedReadsPage } from '../web/organisation/reads/proposed-reads.ts';
import { purchaseReceiptPage } from '../web/organisation/reads/purchase-receipt.ts';
import { balancePage, statementFilePage } from '../web/organisation/reads/balance.ts';
import { readsPage } from '../web/organisation/reads/reads.ts';
import { removeWalletPage } from '../web/organisation/reads/remove-wallet.ts';
import { orgWalletsPage } from '../web/organisation/reads/wallets.ts';
import { biasFilePage, matchesFilePage, matchFilePage } from '../web/organisation/reports/report-files.ts';
import { reportsPage } from '../web/organisation/reports/reports.ts';
import { reviewsPage } from '../web/organisation/reviews/reviews.ts';
import { shortlistPage } from '../web/organisation/shortlist/shortlist.ts';
import { comparePage } from '../web/organisation/table/compare.ts';
import { tablePage } from '../web/organisation/table/table.ts';
import { directoryPage } from '../web/organisation/sso/directory.ts';
import { ssoPage } from '../web/organisation/sso/sso.ts';
import {
  deleteWebhookPage,
  editWebhookPage,
  newWebhookPage,
} from '../web/organisation/webhooks/edit-webhook.ts';
import { operatorKeys, organisationKeys } from '../web/developers/key-owners.ts';
import { buildKeyPage } from '../web/developers/key-page.ts';
import { buildKeysPage } from '../web/developers/keys-page.ts';
import { buildNewKeyPage } from '../web/developers/new-key-page.ts';
import { partnersPage } from '../web/developers/partners.ts';
import { deliveryPage } from '../web/organisation/webhooks/delivery.ts';
import { rotateWebhookPage } from '../web/organisation/webhooks/rotate-webhook.ts';
import { webhookPage } from '../web/organisation/webhooks/webhook.ts';
import { webhooksPage } from '../web/organisation/webhooks/webhooks.ts';
import { row, type PageRow } from '../web/serving/page.ts';

const member = ['member'] as const;
const adminsAndViewers = ['org_admin', 'org_viewer'] as const;
const operator = ['platform_admin'] as const;
const agentOwners = ['member', ...orgRoles] as const;

/** TABLE 3: the console: path, who may see it, and its page, which is one file in `src/web`. */
export const pageRows: readonly PageRow[] = [
  // Everyone
  row('/', 'anyone', landingPage),
  row('/how-it-works', 'anyone', howItWorksPage),
  row('/for-employers', 'anyone', forEmployersPage),
  row('/prices', 'anyone', pricesPage),
  row('/transparency', 'anyone', transparencyPage),
  row('/technical-report', 'anyone', technicalReportPage),
  row('/fairness', 'anyone', fairnessPage),
  row('/about', 'anyone', aboutPage),
  row('/terms', 'anyone', termsPage),
  row('/privacy', 'anyone', privacyPage),
  row('/first-mirror', 'anyone', firstMirrorPage, { limit: mirrorLimit }),
  row('/open-account', 'anyone', openAccountPage),
  row('/keep-mirror', 'anyone', keepMirrorPage),
  row('/science', 'anyone', sciencePage),
  row('/science/{code}', 'anyone', scienceTestPage, { limit: volunteerLimit }),
  row('/science-retest', 'anyone', scienceRetestPage),
  row('/sign-in', 'anyone', signInPage),
  row('/register', 'anyone', registerPage),
  row('/claim', 'anyone', claimPage),
  row('/model-card', 'anyone', modelCardPage),
  row('/forgot-password', 'anyone', forgotPasswordPage),
  row('/reset-password', 'anyone', resetPasswordPage),
  row('/verify-email', 'anyone', verifyEmailPage),
  row('/accept-invitation', 'anyone', acceptInvitationPage),
  row('/invitation', 'anyone', invitationPage),
  row('/cancel-deletion', 'anyone', cancelDeletionPage),
  row('/account-closed', 'anyone', accountClosedPage),
  row('/account-kept', 'anyone', accountKeptPage),

  // Agents
  row('/oauth/interaction/{uid}', 'anyone', interactionPage),
  row('/oauth/handle', 'anyone', chooseHandlePage),
  row('/app/agents', agentOwners, agentsPage),
  row('/app/agents/{grant_id}/limit', agentOwners, spendLimitPage),

  // Everyone who is logged in
  row('/app', roles, homePage),
  row('/app/account', roles, accountPage),
  row('/app/account/confirm', roles, confirmPage),
  row('/app/account/email', roles, emailPage),
  row('/app/account/password', roles, passwordPage),
  row('/app/account/mfa', roles, mfaPage),
  row('/app/account/appearance', roles, appearancePage),
  row('/app/account/passkeys', roles, passkeysPage),
  row('/app/account/devices', roles, devicesPage),
  row('/app/account/notifications', [...member, ...orgRoles], notificationsPage),

  // Members
  row('/app/account/data', member, dataPage),
  row('/app/account/data/{task_id}', member, dataFilePage),
  row('/app/account/delete', member, deletePage),
  row('/app/assessment', member, assessmentPage, { limit: assessmentLimit }),
  row('/app/traits', member, traitsPage),
  row('/app/traits/pdf', member, resultsPdfPage),
  row('/app/archetype', member, archetypePage),
  row('/app/matches', member, matchesPage),
  row('/app/matches/{match_id}', member, matchPage),
  row('/app/matches/{match_id}/review', member, reviewPage),
  row('/app/matches/{match_id}/transaction', member, proposeReadPage),
  row('/app/invitations', member, ownInvitationsPage),
  row('/app/rights', member, rightsPage),
  row('/app/preferences', member, preferencesPage),
  row('/app/preferences/profile', member, profilePage),
  row('/app/credentials', member, credentialsPage),
  row('/app/credentials/new', member, issueCredentialPage),
  row('/app/credentials/{credential_id}', member, credentialPage),
  row('/app/credentials/{credential_id}/pdf', member, credentialPdfPage),
  row('/app/credentials/{credential_id}/badge/{format}', member, badgePicturePage),
  row('/app/credentials/{credential_id}/wallet', member, walletPage),
  row('/app/credentials/{credential_id}/revoke', member, revokeCredentialPage),
  row('/app/income', member, incomePage),
  row('/app/income/transactions', member, ownTransactionsPage),
  row('/app/income/payout', member, payoutPage),
  row('/app/income/reads/{read_id}/receipt', member, readReceiptPage),
  row('/app/income/payouts/{payout_id}/receipt', member, payoutReceiptPage),
  row('/app/self-identification', member, selfIdentificationPage),
  row('/app/consent', member, consentPage),
  row('/app/consent/withdraw-all', member, withdrawAllPage),
  row('/app/consent/{consent_type}', member, consentTypePage),

  // Organisations
  row('/app/example', orgRoles, examplePage),
  row('/app/jobs', orgRoles, jobsPage),
  row('/app/jobs/new', orgRoles, newJobPage),
  row('/app/jobs/import', orgRoles, importJobsPage),
  row('/app/jobs/reach', orgRoles, reachPage),
  row('/app/jobs/{job_id}', orgRoles, shortlistPage),
  row('/app/jobs/{job_id}/table', adminsAndViewers, tablePage),
  row('/app/jobs/{job_id}/compare', adminsAndViewers, comparePage),
  row('/app/jobs/{job_id}/edit', orgRoles, editJobPage),
  row('/app/jobs/{job_id}/invitations', orgRoles, jobInvitationsPage),
  row('/app/jobs/{job_id}/close', orgRoles, closeJobPage),
  row('/app/jobs/{job_id}/posting', orgRoles, postingFilePage),
  row('/app/culture', orgRoles, culturePage),
  row('/app/culture/questionnaire', orgRoles, questionnairePage),
  row('/app/culture/declaration', orgRoles, declarationPage),
  row('/app/people', orgRoles, peoplePage),
  row('/app/people/{user_id}', orgRoles, personPage),
  row('/app/attestations', orgRoles, attestationsPage),
  row('/app/attestations/new', orgRoles, newAttestationPage),
  row('/app/attestations/table', orgRoles, attestTablePage),
  row('/app/achievements', orgRoles, achievementsPage),
  row('/app/organisation', orgRoles, organisationPage),
  row('/app/organisation/leave', orgRoles, leavePage),
  row('/app/sso', orgRoles, ssoPage),
  row('/app/directory', ['org_admin'], directoryPage),
  row('/app/reports', orgRoles, reportsPage),
  row('/app/reports/matches', orgRoles, matchesFilePage),
  row('/app/reports/bias', ['org_admin', 'auditor'], biasFilePage),
  row('/app/jobs/{job_id}/matches/{match_id}/report', ['org_admin'], matchFilePage),
  row('/app/reviews', orgRoles, reviewsPage),
  row('/app/audit', orgRoles, auditPage),
  row('/app/audit/head', ['org_admin', 'auditor'], auditHeadPage),
  row('/app/reads', orgRoles, readsPage),
  row('/app/reads/new', orgRoles, newReadPage),
  row('/app/reads/transactions', orgRoles, proposedReadsPage),
  row('/app/reads/{read_id}/receipt', orgRoles, purchaseReceiptPage),
  row('/app/reads/balance', orgRoles, balancePage),
  row('/app/reads/balance/statement', orgRoles, statementFilePage),
  row('/app/reads/wallets', orgRoles, orgWalletsPage),
  row('/app/reads/wallets/{wallet_id}', orgRoles, removeWalletPage),
  row('/app/keys', orgRoles, buildKeysPage(organisationKeys)),
  row('/app/keys/new', orgRoles, buildNewKeyPage(organisationKeys)),
  row('/app/keys/{service_key_id}', orgRoles, buildKeyPage(organisationKeys)),
  row('/app/partners', orgRoles, partnersPage),
  row('/app/webhooks', adminsAndViewers, webhooksPage),
  row('/app/webhooks/new', adminsAndViewers, newWebhookPage),
  row('/app/webhooks/{subscription_id}', adminsAndViewers, webhookPage),
  row('/app/webhooks/{subscription_id}/edit', adminsAndViewers, editWebhookPage),
  row('/app/webhooks/{subscription_id}/rotate', adminsAndViewers, rotateWebhookPage),
  row('/app/webhooks/{subscription_id}/delete', adminsAndViewers, deleteWebhookPage),
  row('/app/webhooks/{subscription_id}/deliveries/{delivery_id}', adminsAndViewers, deliveryPage),

  // The operator
  row('/app/operator', operator, operatorHomePage),
  row('/app/operator/users', operator, usersPage),
  row('/app/operator/users/{user_id}', operator, userPage),
  row('/app/operator/users/{user_id}/reset-mfa', operator, resetMfaPage),
  row('/app/operator/organisations', operator, organisationsPage),
  row('/app/operator/organisations/{org_id}', operator, operatedOrganisationPage),
  row('/app/operator/queue', operator, queuePage),
  row('/app/operator/queue/{task}', operator, failuresPage),
  row('/app/operator/keys', operator, keysPage),
  row('/app/operator/keys/{kid}', operator, keyPage),
  row('/app/operator/service-keys', operator, buildKeysPage(operatorKeys)),
  row('/app/operator/service-keys/new', operator, buildNewKeyPage(operatorKeys)),
  row('/app/operator/service-keys/{service_key_id}', operator, buildKeyPage(operatorKeys)),
  row('/app/operator/calibration', operator, calibrationPage),
  row('/app/operator/banks', operator, banksPage),
  row('/app/operator/banks/{bank}/{version}', operator, bankVersionPage),
  row('/app/operator/findings', operator, findingsPage),
  row('/app/operator/ledger', operator, ledgerPage),
  row('/app/operator/top-ups', operator, topUpsPage),
  row('/app/operator/matching', operator, matchingPage),
  row('/app/operator/reviews', operator, overdueReviewsPage),
  row('/app/operator/policies', operator, policiesPage),
  row('/app/operator/health', operator, healthPage),
];
