import { pending, row, type Row } from '#platform/http/row.ts';
import * as auth from '#modules/auth';
import * as consent from '#modules/consent';
import * as jobs from '#modules/jobs';
import * as matching from '#modules/matching';
import * as members from '#modules/members';
import * as orgs from '#modules/orgs';
import * as tasks from '#modules/tasks';
import * as traits from '#modules/traits';

/**
 * TABLE 1, under `/api/v1`: the specification's 76 rows in its order. The operation's name is its file:
 * `auth.registerUser` is `src/modules/auth/register-user.ts`, where its `who` says which roles may call.
 */
export const specified: readonly Row[] = [
  // Authentication
  row('POST', '/auth/register', 'public', auth.registerUser),
  row('POST', '/auth/login', 'public', auth.logIn),
  row('POST', '/auth/refresh', 'public', auth.refreshSession),
  row('POST', '/auth/logout', 'public', auth.logOut),
  row('GET', '/auth/me', 'jwt', auth.readMe),
  pending('POST', '/auth/forgot-password', 'public'),
  pending('POST', '/auth/reset-password', 'public'),
  pending('POST', '/auth/mfa/setup', 'jwt'),
  pending('POST', '/auth/mfa/verify', 'jwt'),
  pending('POST', '/auth/mfa/disable', 'jwt'),
  pending('POST', '/auth/mfa/authenticate', 'public'),

  // Jobs (organisation)
  row('POST', '/orgs/me/jobs', 'jwt', jobs.createJob),
  row('GET', '/orgs/me/jobs', 'jwt', jobs.listJobs),
  row('GET', '/orgs/me/jobs/{job_id}', 'jwt', jobs.readJob),
  pending('PATCH', '/orgs/me/jobs/{job_id}', 'jwt'),
  pending('DELETE', '/orgs/me/jobs/{job_id}', 'jwt'),
  row('GET', '/orgs/me/jobs/{job_id}/matches', 'jwt', matching.listJobMatches),
  row('POST', '/orgs/me/jobs/{job_id}/recompute-matches', 'jwt', matching.recomputeMatches),

  // Matches
  row('GET', '/matches/{match_id}', 'jwt', matching.readMatch),
  pending('GET', '/matches/{match_id}/explanation', 'jwt'),
  pending('POST', '/matches/{match_id}/feedback', 'jwt'),
  pending('GET', '/matches/{match_id}/feedback', 'jwt'),
  pending('POST', '/matches/{match_id}/outcome', 'jwt'),
  pending('PUT', '/matches/{match_id}/status', 'jwt'),
  pending('POST', '/matches/compute', 'jwt'),
  pending('GET', '/matches/job/{job_id}', 'jwt'),
  pending('GET', '/matches/member/{member_id}', 'jwt'),

  // Members
  row('GET', '/members/me', 'jwt', members.readMember),
  pending('DELETE', '/members/me', 'jwt'),
  row('PUT', '/members/me/profile', 'jwt', members.updateProfile),
  row('GET', '/members/me/traits', 'jwt', traits.readTraits),
  pending('GET', '/members/me/archetype', 'jwt'),
  row('GET', '/members/me/matches', 'jwt', matching.listMemberMatches),
  row('GET', '/members/me/consent', 'jwt', consent.readConsent),
  row('POST', '/members/me/consent', 'jwt', consent.recordConsent),
  pending('POST', '/members/me/consent/withdraw-all', 'jwt'),
  pending('POST', '/members/me/data-export', 'jwt'),
  pending('GET', '/members/me/earnings', 'jwt'),
  pending('GET', '/members/me/legibility', 'jwt'),

  // Credential queries
  pending('POST', '/orgs/queries/credential', 'x402'),
  pending('GET', '/orgs/queries/earnings/summary', 'jwt'),
  pending('GET', '/orgs/queries/earnings/history', 'jwt'),
  pending('GET', '/orgs/queries/consent/config', 'jwt'),
  pending('PUT', '/orgs/queries/consent/category', 'jwt'),

  // Identity claim
  pending('GET', '/identity/stub/{claim_code}', 'public'),
  pending('POST', '/identity/claim', 'public'),

  // Organisations
  row('GET', '/orgs/me', 'jwt', orgs.readOrganisation),
  pending('PATCH', '/orgs/me', 'jwt'),
  pending('GET', '/orgs/me/culture-profile', 'jwt'),
  pending('GET', '/orgs/me/culture-profile/questionnaire', 'jwt'),
  pending('GET', '/orgs/me/matches', 'jwt'),
  pending('POST', '/orgs/{org_id}/sso/configure', 'jwt'),
  pending('GET', '/orgs/{org_id}/sso/configuration', 'jwt'),

  // Credentials
  pending('POST', '/credentials/issue', 'jwt'),
  pending('GET', '/credentials/', 'jwt'),
  pending('GET', '/credentials/{credential_id}', 'jwt'),
  pending('GET', '/credentials/{credential_id}/verify', 'public'),
  pending('GET', '/credentials/verify', 'public'),
  pending('POST', '/credentials/{credential_id}/revoke', 'jwt'),
  pending('GET', '/credentials/.well-known/service-keys.json', 'public'),

  // Exports
  pending('GET', '/exports/member/{member_id}/gdpr-data', 'jwt'),
  pending('GET', '/exports/org/{org_id}/bias-report', 'jwt'),
  pending('GET', '/exports/org/{org_id}/matches', 'jwt'),
  pending('GET', '/exports/match/{match_id}/detail-report', 'jwt'),

  // Marketplace
  pending('POST', '/marketplace/transactions', 'jwt'),
  pending('GET', '/marketplace/my-earnings', 'jwt'),
  pending('GET', '/marketplace/my-purchases', 'jwt'),
  pending('GET', '/marketplace/transactions/{transaction_id}', 'jwt'),

  // Webhooks
  pending('POST', '/webhooks/', 'jwt'),
  pending('GET', '/webhooks/', 'jwt'),
  pending('GET', '/webhooks/{subscription_id}', 'jwt'),
  pending('PATCH', '/webhooks/{subscription_id}', 'jwt'),
  pending('DELETE', '/webhooks/{subscription_id}', 'jwt'),
  pending('GET', '/webhooks/{subscription_id}/deliveries', 'jwt'),
  pending('POST', '/webhooks/{subscription_id}/test', 'jwt'),
  pending('GET', '/webhooks/events', 'jwt'),
];

/** What we add to the specification, under the same prefix (docs/decisions/0010-additions.md). */
export const added: readonly Row[] = [
  row('POST', '/auth/verify-email', 'public', auth.verifyEmail),
  row('POST', '/auth/resend-verification', 'jwt', auth.resendVerification),
  row('GET', '/members/me/engagement', 'jwt', members.readEngagement),
  row('POST', '/members/me/assessment', 'jwt', traits.startAssessment),
  row('POST', '/members/me/assessment/answers', 'jwt', traits.answerItem),
  row('GET', '/taxonomy/traits', 'public', traits.readTaxonomy),
  row('GET', '/job-templates', 'jwt', jobs.searchTemplates),
  row('GET', '/tasks/{task_id}', 'jwt', tasks.readTask),
];
