import type { RequirementId } from './requirements.ts';

/** The capabilities that are not built yet. A rule is either proven, or waits for one of these. */
export type PendingFor =
  /** Accounts, MFA, sessions, organisations, consent, SSO, data rights. */
  | 'people-and-access'
  /** Assessment, traits, archetypes, culture, jobs, matches. */
  | 'measurement-and-matching'
  /** Credentials and attestation tokens. */
  | 'credentials'
  /** X402, earnings, legibility, credential queries, marketplace. */
  | 'paid-reads'
  /** MCP, OAuth, the browser connector, identity stubs and claims. */
  | 'agents'
  /** Feedback, outcomes, exports. */
  | 'feedback-and-reports'
  /** Cross-cutting rules: errors, limits, pages, versioning. */
  | 'surface';

/**
 * The rules that wait for their capability. The list only shrinks: remove the line of an id when a test cites it by `proves('…')` or a
 * decision settles it by `Settles: …`. `requirements.test.ts` fails if the line of such an id is still here.
 */
export const pending: Partial<Record<RequirementId, PendingFor>> = {
  'query-reads-gated-and-pseudonymised': 'paid-reads',
  'query-credential-endpoint-x402': 'paid-reads',
  'query-credential-request-fields': 'paid-reads',
  'query-credential-verifies-consent': 'paid-reads',
  'query-credential-enforces-rate-limits': 'paid-reads',
  'query-result-data-fields': 'paid-reads',
  'query-result-trait-tiers-fields': 'paid-reads',
  'query-result-trait-tier-values-seen': 'paid-reads',
  'query-result-data-completeness-value-comprehensive': 'paid-reads',
  'query-result-metadata-fields': 'paid-reads',
  'query-result-consent-level-value-full': 'paid-reads',
  'query-result-no-numeric-scores': 'paid-reads',
  'query-daily-allowance-per-organisation': 'paid-reads',
  'payment-x402-carries-payment-only': 'paid-reads',
  'payment-x402-used-for-paid-tools-and-credential-queries': 'paid-reads',
  'payment-price-0-01-to-1-00-usd': 'paid-reads',
  'payment-free-allowance-one-time': 'paid-reads',
  'payment-free-allowance-sized-to-tier': 'paid-reads',
  'ledger-credential-query-records-transaction': 'paid-reads',
  'marketplace-transaction-fields': 'paid-reads',
  'marketplace-transaction-status-value-completed': 'paid-reads',
  'marketplace-protocol-version-value-x402-v1': 'paid-reads',
  'marketplace-create-endpoint-jwt': 'paid-reads',
  'marketplace-create-request-fields': 'paid-reads',
  'marketplace-create-caller-is-party': 'paid-reads',
  'marketplace-create-records-mock': 'paid-reads',
  'marketplace-my-earnings-endpoint-jwt': 'paid-reads',
  'marketplace-my-purchases-endpoint-jwt': 'paid-reads',
  'marketplace-transaction-get-endpoint-party-only': 'paid-reads',
  'error-payment-missing-is-402-or-jsonrpc-32000': 'paid-reads',
  'open-daily-credential-query-quota': 'paid-reads',
  'open-shape-marketplace-my-earnings-response': 'paid-reads',
  'open-shape-marketplace-my-purchases-response': 'paid-reads',
  'open-shape-marketplace-transaction-get-response': 'paid-reads',
  'open-values-data-completeness': 'paid-reads',
  'open-values-data-type': 'paid-reads',
  'open-values-marketplace-transaction-status': 'paid-reads',
  'open-undefined-surface-of-402-and-32000': 'paid-reads',
  'open-undefined-free-allowance-size-per-tier': 'paid-reads',

  'surface-mcp-url-for-connectors-and-agents': 'agents',
  'surface-connector-added-by-mcp-url': 'agents',
  'surface-connector-signs-in-through-oauth': 'agents',
  'surface-connector-account-created-on-handle': 'agents',
  'surface-connector-no-pasted-token': 'agents',
  'mcp-endpoint-speaks-json-rpc': 'agents',
  'mcp-agents-use-capability-tokens': 'agents',
  'mcp-tool-call-shape': 'agents',
  'mcp-paid-tool-payment-in-arguments': 'agents',
  'mcp-payment-fields': 'agents',
  'oauth-capability-token-header': 'agents',
  'oauth-capability-token-scoped-per-tool': 'agents',
  'oauth-capability-consent-explicit': 'agents',
  'oauth-capability-consent-revocable': 'agents',
  'oauth-scope-decides-reachable-tools': 'agents',
  'stub-fields': 'agents',
  'stub-is-anonymous-and-claimable': 'agents',
  'stub-attunement-band-value-known': 'agents',
  'stub-status-value-unclaimed': 'agents',
  'stub-get-endpoint-public': 'agents',
  'stub-claim-endpoint-public': 'agents',
  'auth-jwt-obtained-from-login-register-claim': 'agents',
  'stub-claim-needs-valid-code-email-password': 'agents',
  'stub-claim-needs-tos-accepted-true': 'agents',
  'stub-claim-unclaimed-to-claimed': 'agents',
  'stub-claim-creates-user-account': 'agents',
  'stub-claim-response-fields': 'agents',
  'stub-claim-user-fields': 'agents',
  'stub-claim-earnings-summary-fields': 'agents',
  'open-stub-claimed-state-name': 'agents',
  'open-oauth-scope-names': 'agents',
  'open-oauth-endpoint-paths': 'agents',
  'open-values-attunement-band': 'agents',
  'open-undefined-handle': 'agents',
  'open-undefined-mcp-tool-names': 'agents',

  'feedback-stages-30-90-180-days': 'feedback-and-reports',
  'feedback-post-endpoint-jwt': 'feedback-and-reports',
  'feedback-one-per-respondent-per-stage': 'feedback-and-reports',
  'feedback-get-endpoint-jwt': 'feedback-and-reports',
  'feedback-get-participants-and-admins-only': 'feedback-and-reports',
  'feedback-outcome-endpoint-jwt': 'feedback-and-reports',
  'feedback-outcome-feeds-reinforcement-loop': 'feedback-and-reports',
  'open-feedback-record-fields': 'feedback-and-reports',
  'open-outcome-record-fields': 'feedback-and-reports',
  'open-shape-feedback-post-response': 'feedback-and-reports',
  'open-shape-feedback-get-response': 'feedback-and-reports',
  'open-shape-match-outcome-response': 'feedback-and-reports',

  'surface-asterisk-marks-required': 'surface',
  'open-deprecation-policy': 'surface',
  'open-undefined-requiredness-of-unmarked-request-fields': 'surface',
  'open-undefined-role-of-jwt-rows-naming-none': 'surface',
};
