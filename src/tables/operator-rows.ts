import * as books from '#modules/income/books';
import * as jobs from '#modules/matching/jobs';
import * as learning from '#modules/matching/learning';
import * as matches from '#modules/matching/matches';
import * as operator from '#modules/operations/operator';
import * as payments from '#modules/income/payments';
import * as reviews from '#modules/matching/reviews';
import * as serviceKeys from '#modules/access/service-keys';
import * as traits from '#modules/measurement/traits';
import type { Row } from '#platform/http/row.ts';
import { row } from './row.ts';

/** A part of TABLE 1: what platform administrators do (docs/decisions/console.md). */
export const operatorRows: readonly Row[] = [
  row('GET', '/operator/health', 'jwt', operator.readHealth),
  row('GET', '/operator/users', 'jwt', operator.searchUsers),
  row('GET', '/operator/users/{user_id}', 'jwt', operator.inspectUser),
  row('POST', '/operator/users/{user_id}/suspend', 'jwt', operator.suspendAccount),
  row('POST', '/operator/users/{user_id}/resume', 'jwt', operator.resumeAccount),
  row('POST', '/operator/users/{user_id}/reset-mfa', 'jwt', operator.resetAccountMfa),
  row('GET', '/operator/organisations', 'jwt', operator.searchOrganisations),
  row('GET', '/operator/organisations/{org_id}', 'jwt', operator.inspectOrganisation),
  row('PATCH', '/operator/organisations/{org_id}', 'jwt', operator.assignTier),
  row('POST', '/operator/organisations/{org_id}/suspend', 'jwt', operator.suspendOrganisation),
  row('POST', '/operator/organisations/{org_id}/resume', 'jwt', operator.resumeOrganisation),
  row('POST', '/operator/organisations/{org_id}/domains/{domain}/verify', 'jwt', operator.attestDomain),
  row('GET', '/operator/probing', 'jwt', jobs.listProbingReports),
  row('GET', '/operator/reviews', 'jwt', reviews.listOverdueReviews),
  row('GET', '/operator/queue', 'jwt', operator.readQueue),
  row('POST', '/operator/queue/retry', 'jwt', operator.retryFailures),
  row('GET', '/operator/queue/failures', 'jwt', operator.listFailures),
  row('POST', '/operator/queue/failures/{failure_id}/retry', 'jwt', operator.retryFailure),
  row('POST', '/operator/work', 'jwt', operator.startWork),
  row('GET', '/operator/ledger', 'jwt', books.readBooks),
  row('GET', '/operator/top-ups', 'jwt', books.listTopUps),
  row('POST', '/operator/top-ups', 'jwt', books.recordTopUp),
  row('GET', '/operator/payments', 'jwt', payments.listUnresolved),
  row('GET', '/operator/service-keys', 'jwt', serviceKeys.listOperatorKeys),
  row('POST', '/operator/service-keys', 'jwt', serviceKeys.createOperatorKey),
  row('POST', '/operator/service-keys/public', 'jwt', serviceKeys.registerOperatorPublicKey),
  row(
    'PUT',
    '/operator/service-keys/{service_key_id}/public-key',
    'jwt',
    serviceKeys.replaceOperatorPublicKey,
  ),
  row('POST', '/operator/service-keys/{service_key_id}/rotate', 'jwt', serviceKeys.rotateOperatorKey),
  row('DELETE', '/operator/service-keys/{service_key_id}', 'jwt', serviceKeys.revokeOperatorKey),
  row('GET', '/operator/service-keys/{service_key_id}/requests', 'jwt', serviceKeys.listOperatorKeyRequests),
  row('GET', '/operator/keys', 'jwt', operator.listKeys),
  row('POST', '/operator/keys/rotate', 'jwt', operator.rotateKeys),
  row('POST', '/operator/keys/{kid}/revoke', 'jwt', operator.revokeKey),
  row('GET', '/operator/calibrations', 'jwt', traits.listCalibrations),
  row('POST', '/operator/calibrations', 'jwt', traits.startCalibration),
  row('POST', '/operator/calibrations/{version}/activate', 'jwt', traits.activateCalibration),
  row('GET', '/operator/banks', 'jwt', traits.listBanks),
  row('GET', '/operator/banks/{bank}/versions/{version}', 'jwt', traits.readBankVersion),
  row('GET', '/operator/banks/{bank}/versions/{version}/preview', 'jwt', matches.previewVersion),
  row('POST', '/operator/banks/{bank}/versions/{version}/use', 'jwt', traits.useBankVersion),
  row('GET', '/operator/item-findings', 'jwt', traits.listItemFindings),
  row('POST', '/operator/item-findings/{finding_id}/decide', 'jwt', traits.decideItemFinding),
  row('POST', '/operator/item-findings/{finding_id}/undo', 'jwt', traits.undoItemDecision),
  row('GET', '/operator/policies', 'jwt', learning.listFitPolicies),
  row('POST', '/operator/policies/rollback', 'jwt', learning.rollBackFitPolicy),
  row('GET', '/operator/policies/{version}/preview', 'jwt', learning.previewFitPolicy),
  row('POST', '/operator/policies/{version}/promote', 'jwt', learning.promoteFitPolicy),
  row('GET', '/operator/match-index', 'jwt', matches.readMatchIndex),
  row('POST', '/operator/match-index/recompute', 'jwt', matches.startRecomputation),
];
