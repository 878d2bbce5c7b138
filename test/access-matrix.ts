import { orgRoles, roles, type Role } from '#lib/caller.ts';

/**
 * The roles that may call a row. `anyone` needs no token. `undecided`: the specification names no role and the row is not built yet; the
 * change that builds it names the roles here.
 */
export type Access = 'anyone' | 'undecided' | readonly Role[];

const { loggedIn, member, organisation, orgAdmin, operator, administrators } = {
  loggedIn: roles,
  member: ['member'],
  organisation: orgRoles,
  orgAdmin: ['org_admin'],
  operator: ['platform_admin'],
  administrators: ['org_admin', 'platform_admin'],
} as const;

/**
 * Every row of the API with the roles that may call it, for comparison with section 4 of the specification. `access-matrix.test.ts` tries
 * every role; `other-tenants.test.ts` tries the objects of other tenants. A quotation after a row is what the specification says about its
 * callers. A row without one only says JWT there, and the choice is ours.
 */
export const accessMatrix: Readonly<Record<string, Access>> = {
  // Authentication
  'POST /auth/register': 'anyone',
  'POST /auth/login': 'anyone',
  'POST /auth/refresh': 'anyone',
  'POST /auth/logout': 'anyone',
  'GET /auth/me': loggedIn,
  'POST /auth/forgot-password': 'anyone',
  'POST /auth/reset-password': 'anyone',
  'POST /auth/mfa/setup': loggedIn,
  'POST /auth/mfa/verify': loggedIn,
  'POST /auth/mfa/disable': loggedIn,
  'POST /auth/mfa/authenticate': 'anyone',
  'POST /auth/verify-email': 'anyone',
  'POST /auth/accept-invitation': 'anyone',
  'POST /auth/resend-verification': loggedIn,
  'POST /auth/change-password': loggedIn,
  'POST /auth/change-email': loggedIn,
  'PATCH /auth/me': loggedIn,
  'POST /auth/reauthenticate': loggedIn,
  'POST /auth/cancel-deletion': 'anyone',
  'POST /auth/sso/discover': 'anyone',
  'GET /auth/sso/{org_id}/login': 'anyone',
  'POST /auth/sso/{org_id}/acs': 'anyone',
  'GET /auth/sso/{org_id}/callback': 'anyone',
  'GET /auth/sso/{org_id}/metadata': 'anyone',
  'GET /auth/sessions': loggedIn,
  'DELETE /auth/sessions/{session_id}': loggedIn,
  // The browser that started the request may read and deny it; a member or a user of an organisation allows it.
  'GET /oauth/interactions/{uid}': 'anyone',
  'POST /oauth/interactions/{uid}/consent': ['member', ...orgRoles],
  'POST /oauth/interactions/{uid}/denial': 'anyone',
  'GET /auth/passkeys': loggedIn,
  'POST /auth/passkeys': loggedIn,
  'POST /auth/passkeys/challenge': 'anyone',
  'POST /auth/passkeys/authenticate': 'anyone',
  'PATCH /auth/passkeys/{passkey_id}': loggedIn,
  'DELETE /auth/passkeys/{passkey_id}': loggedIn,
  'GET /auth/handles/{handle}': 'anyone',
  'POST /auth/handles': 'anyone',
  'POST /auth/handles/login': 'anyone',
  'GET /auth/grants': loggedIn,
  'DELETE /auth/grants': loggedIn,
  'PATCH /auth/grants/{grant_id}': loggedIn,
  'DELETE /auth/grants/{grant_id}': loggedIn,
  'DELETE /auth/grants/{grant_id}/tools/{tool}': loggedIn,

  // Jobs (organisation): all roles of an organisation read, its administrators write.
  'POST /orgs/me/jobs': orgAdmin,
  'GET /orgs/me/jobs': organisation,
  'GET /orgs/me/jobs/{job_id}': organisation,
  'PATCH /orgs/me/jobs/{job_id}': orgAdmin,
  'DELETE /orgs/me/jobs/{job_id}': orgAdmin,
  'GET /orgs/me/jobs/{job_id}/matches': organisation,
  'POST /orgs/me/jobs/{job_id}/recompute-matches': orgAdmin,
  'POST /orgs/me/jobs/{job_id}/decisions': orgAdmin,
  'POST /orgs/me/jobs/{job_id}/decisions/{decision_id}/undo': orgAdmin,
  // Every user follows jobs for themselves.
  'POST /orgs/me/jobs/reach': orgAdmin,
  'GET /orgs/me/example-shortlist': organisation,
  'POST /orgs/me/jobs/import': orgAdmin,
  'POST /orgs/me/jobs/import/address': orgAdmin,
  'POST /orgs/me/jobs/import/table': orgAdmin,
  'GET /orgs/me/boards': orgAdmin,
  'POST /orgs/me/boards': orgAdmin,
  'GET /orgs/me/boards/{board_id}': orgAdmin,
  'PATCH /orgs/me/boards/{board_id}': orgAdmin,
  'DELETE /orgs/me/boards/{board_id}': orgAdmin,
  'POST /orgs/me/boards/{board_id}/read': orgAdmin,
  'GET /orgs/me/board-changes': orgAdmin,
  'DELETE /orgs/me/board-changes/{change_id}': orgAdmin,
  'GET /orgs/me/jobs/{job_id}/posting': organisation,
  'POST /orgs/me/jobs/impact': orgAdmin,
  'POST /orgs/me/jobs/reach/tiers': orgAdmin,
  'GET /orgs/me/jobs/limits': organisation,
  'GET /orgs/me/jobs/{job_id}/following': organisation,
  'PUT /orgs/me/jobs/{job_id}/following': organisation,
  'GET /orgs/me/notifications': organisation,
  'PUT /orgs/me/notifications': organisation,
  'GET /orgs/me/waiting': organisation,
  // Templates belong to no organisation.
  'GET /job-templates': 'anyone',
  'POST /job-outline': 'anyone',

  // Matches
  'GET /matches/{match_id}': loggedIn, // "only the match's member or organisation": by party, not by role
  'GET /matches/{match_id}/explanation': loggedIn, // by party as well
  'POST /matches/{match_id}/feedback': ['member', 'org_admin'], // "members and organisations": administrators answer for theirs
  'GET /matches/{match_id}/feedback': loggedIn, // "participants and admins": by party, and platform administrators
  'POST /matches/{match_id}/outcome': ['org_admin', 'platform_admin'], // "requires org_admin or platform_admin"
  'PUT /matches/{match_id}/status': ['org_admin', 'platform_admin'], // "requires org_admin or platform_admin"
  // Members compute their own matches, organisations those of their jobs.
  'POST /matches/compute': ['member', 'org_admin', 'platform_admin'],
  'POST /matches/{match_id}/response': member,
  'POST /matches/{match_id}/review': member,
  'POST /matches/{match_id}/review/withdraw': member,
  'POST /matches/{match_id}/review/answer': orgAdmin,
  'GET /matches/{match_id}/reviews': loggedIn, // as feedback
  'GET /orgs/me/reviews': organisation,
  'GET /operator/reviews': operator,
  'POST /matches/{match_id}/outcome/correction': orgAdmin,
  'GET /matches/{match_id}/job': member,
  'GET /matches/{match_id}/requirements': organisation,
  // Those who write to the member. An auditor reads who has read the contact.
  'GET /matches/{match_id}/outcomes': loggedIn, // as feedback
  'GET /matches/{match_id}/note': ['org_admin', 'org_viewer'],
  'PUT /matches/{match_id}/note': orgAdmin,
  'PUT /matches/{match_id}/reference': orgAdmin,
  'GET /orgs/me/jobs/{job_id}/references': ['org_admin', 'org_viewer'],
  'GET /orgs/me/jobs/{job_id}/table': ['org_admin', 'org_viewer'],
  'POST /orgs/me/jobs/{job_id}/visits': ['org_admin', 'org_viewer'],
  'GET /orgs/me/table-views': ['org_admin', 'org_viewer'],
  'POST /orgs/me/table-views': orgAdmin,
  'DELETE /orgs/me/table-views/{view_id}': orgAdmin,
  'GET /orgs/me/achievements': organisation,
  'POST /orgs/me/achievements': orgAdmin,
  'PATCH /orgs/me/achievements/{achievement_id}': orgAdmin,
  'GET /orgs/me/credentials': organisation,
  'POST /orgs/me/credentials': orgAdmin,
  'POST /orgs/me/credentials/import': orgAdmin,
  'POST /orgs/me/credentials/{offer_id}/revoke': orgAdmin,
  'GET /members/me/credential-offers': member,
  'POST /members/me/credential-offers/{offer_id}': member,
  'GET /orgs/me/jobs/{job_id}/invitations': organisation,
  'POST /orgs/me/jobs/{job_id}/invitations': orgAdmin,
  'GET /orgs/me/jobs/{job_id}/invitations/{invitation_id}': organisation,
  'POST /orgs/me/jobs/{job_id}/invitations/{invitation_id}/resend': orgAdmin,
  'POST /orgs/me/jobs/{job_id}/invitations/{invitation_id}/cancel': orgAdmin,
  'POST /invitations/open': 'anyone',
  'POST /invitations/answer': 'anyone',
  'GET /members/me/invitations': member,
  'POST /members/me/invitations/{invitation_id}': member,
  'GET /matches/{match_id}/contact': ['member', 'org_admin', 'org_viewer'],
  'GET /matches/job/{job_id}': [...organisation, 'platform_admin'], // "org or admin access"
  'GET /matches/member/{member_id}': ['member', 'platform_admin'], // "members see own; admins any"

  // Members: /members/me is always a member.
  'GET /members/me': member,
  'DELETE /members/me': member,
  'PUT /members/me/profile': member,
  'GET /members/me/traits': member,
  'GET /members/me/archetype': member,
  'GET /members/me/matches': member,
  'GET /members/me/consent': member,
  'POST /members/me/consent': member,
  'POST /members/me/consent/withdraw-all': member,
  'POST /members/me/data-export': member,
  'GET /members/me/earnings': member,
  'GET /members/me/legibility': member,
  'POST /members/me/payouts': member,
  'GET /members/me/payouts': member,
  'GET /members/me/payouts/{payout_id}/receipt': member,
  'GET /members/me/reads/{read_id}/receipt': member,
  'GET /members/me/data-export/{task_id}': member,
  // What a member says about themselves is the member's own.
  'GET /members/me/self-identification': member,
  'PUT /members/me/self-identification': member,
  'GET /members/me/engagement': member,
  'GET /members/me/traits/versions': member,
  'GET /members/me/consent/history': member,
  'GET /members/me/matching-preferences': member,
  'PUT /members/me/matching-preferences': member,
  'GET /members/me/notifications': member,
  'PUT /members/me/notifications': member,
  'GET /members/me/waiting': member,
  'POST /members/me/assessment': member,
  'POST /members/me/assessment/answers': member,
  'POST /members/me/assessment/first-mirror': member,
  'GET /volunteers': 'anyone',
  'POST /volunteers': 'anyone',
  'POST /volunteers/retests': 'anyone',
  'GET /volunteers/{code}': 'anyone',
  'DELETE /volunteers/{code}': 'anyone',
  'POST /volunteers/{code}/answers': 'anyone',
  'POST /volunteers/{code}/retest': 'anyone',
  'POST /auth/registrations': 'anyone',
  'POST /auth/registrations/open': 'anyone',
  'POST /first-mirror': 'anyone',
  'POST /first-mirror/send': 'anyone',
  'POST /first-mirror/keep': 'anyone',
  'POST /members/me/assessment/back': member,
  'GET /consent-texts': 'anyone',
  'GET /members/me/previews/explanation': member,
  'GET /members/me/previews/read': member,
  'GET /taxonomy/traits': 'anyone',
  'GET /taxonomy/archetypes': 'anyone',
  'GET /model-card': 'anyone',
  'GET /technical-report': 'anyone',
  'GET /fairness': 'anyone',
  'GET /prices': 'anyone',
  'GET /example/traits': 'anyone',
  'GET /example/match': 'anyone',
  'GET /example/read': 'anyone',

  // Credential queries: an organisation pays; income and consent are the member's own.
  // Those who may spend the organisation's money.
  'POST /orgs/queries/credential': orgAdmin,
  'GET /orgs/queries/earnings/summary': member,
  'GET /orgs/queries/earnings/history': member,
  'GET /orgs/queries/consent/config': member,
  'PUT /orgs/queries/consent/category': member,

  // Identity claim
  'GET /identity/stub/{claim_code}': 'anyone',
  'POST /identity/claim': 'anyone',
  // The person has no account yet, and preparing an identity needs none.
  'DELETE /identity/stub/{claim_code}': 'anyone',
  'POST /identity/stubs': 'anyone',
  'POST /identity/stubs/{claim_code}/observations': 'anyone',

  // Organisations
  'GET /orgs/me': organisation,
  'PATCH /orgs/me': orgAdmin, // "org_admin only"
  // An auditor checks who has access. A viewer sees the work, not the users.
  'GET /orgs/queries/reads': organisation,
  'GET /orgs/queries/reads/{read_id}/receipt': organisation,
  'GET /orgs/queries/usage': organisation,
  'GET /orgs/me/balance': organisation,
  'POST /orgs/me/balance': orgAdmin,
  'PATCH /orgs/me/balance': orgAdmin,
  'GET /orgs/me/balance/statement': organisation,
  'POST /orgs/me/wallets/challenge': orgAdmin,
  'POST /orgs/me/wallets': orgAdmin,
  'GET /orgs/me/wallets': organisation,
  'DELETE /orgs/me/wallets/{wallet_id}': orgAdmin,
  'GET /orgs/me/directory-groups': orgAdmin,
  'PUT /orgs/me/directory-groups/{group_id}/role': orgAdmin,
  'GET /orgs/me/users': ['org_admin', 'auditor'],
  'POST /orgs/me/users': orgAdmin,
  'PATCH /orgs/me/users/{user_id}': orgAdmin,
  'GET /orgs/me/service-keys': ['org_admin', 'auditor'],
  'POST /orgs/me/service-keys': orgAdmin,
  'POST /orgs/me/service-keys/{service_key_id}/rotate': orgAdmin,
  'DELETE /orgs/me/service-keys/{service_key_id}': orgAdmin,
  'GET /orgs/me/service-keys/{service_key_id}/requests': ['org_admin', 'auditor'],
  'POST /service-keys/report': 'anyone',
  // Everybody may leave; only administrators remove others.
  'DELETE /orgs/me/users/{user_id}': organisation,
  'POST /orgs/me/users/{user_id}/resend-invitation': orgAdmin,
  // All users of an organisation answer the questionnaire, and read the combined result.
  'GET /orgs/me/culture-profile': organisation,
  'GET /orgs/me/culture-profile/questionnaire': organisation,
  'POST /orgs/me/culture-profile/responses': organisation,
  'GET /orgs/me/culture-profile/draft': organisation,
  'PATCH /orgs/me/culture-profile/draft': organisation,
  'DELETE /orgs/me/culture-profile/draft': organisation,
  'GET /orgs/me/culture-profile/declaration': organisation,
  'POST /orgs/me/culture-profile/declaration': orgAdmin,
  'GET /orgs/me/matches': organisation,
  'POST /orgs/{org_id}/sso/configure': orgAdmin, // "configured by org admins"
  'GET /orgs/{org_id}/sso/configuration': ['org_admin', 'auditor'],
  'PUT /orgs/{org_id}/sso/openid': orgAdmin,
  'GET /orgs/{org_id}/sso/openid': ['org_admin', 'auditor'],
  'POST /orgs/{org_id}/sso/domains/{domain}/verify': orgAdmin,

  // Credentials
  'POST /credentials/issue': ['member', 'platform_admin'], // "platform admins for any member; members only self-attested"
  'GET /credentials/': ['member', 'platform_admin'],
  'GET /credentials/{credential_id}': ['member', 'platform_admin'], // "members own, admins all"
  'GET /credentials/{credential_id}/verify': 'anyone',
  'GET /credentials/verify': 'anyone',
  'POST /credentials/verify': 'anyone',
  'POST /credentials/{credential_id}/revoke': ['member', 'platform_admin'], // "owner or platform admin"
  'GET /credentials/.well-known/service-keys.json': 'anyone',
  'GET /credentials/status-lists/{list_id}': 'anyone',
  'GET /credentials/token-status-lists/{list_id}': 'anyone',
  'GET /credentials/{credential_id}/data-integrity': ['member', 'platform_admin'],
  'GET /credentials/{credential_id}/open-badge': ['member', 'platform_admin'],
  // Sharing is the member's own decision, not an administrator's.
  'PUT /credentials/{credential_id}/visibility': member,
  // A wallet is the member's own.
  'POST /credentials/{credential_id}/offer': member,

  // Exports
  'GET /exports/member/{member_id}/gdpr-data': member, // "only the member; no operator role may read"
  'GET /exports/org/{org_id}/bias-report': ['org_admin', 'auditor', 'platform_admin'], // "org admins, auditors, platform admins"
  'GET /exports/org/{org_id}/matches': [...orgRoles, 'platform_admin'], // the row names no role; who may read the lists (docs/decisions/privacy-of-numbers.md)
  'GET /exports/match/{match_id}/detail-report': orgAdmin, // "org admins of the owning organisation only"

  // Marketplace
  'POST /marketplace/transactions': ['member', ...orgAdmin], // "caller must be a party"
  'POST /marketplace/transactions/{transaction_id}/decline': ['member', ...orgAdmin],
  'GET /marketplace/my-earnings': member, // "member total earnings"
  'GET /marketplace/my-purchases': organisation, // "organisation total spend"
  'GET /marketplace/transactions/{transaction_id}': ['member', ...organisation], // "caller must be a party"

  // Webhooks
  'POST /webhooks/': orgAdmin, // "org_admin"
  'GET /webhooks/': ['org_admin', 'org_viewer'], // "org_admin or org_viewer"
  'GET /webhooks/{subscription_id}': organisation,
  'PATCH /webhooks/{subscription_id}': orgAdmin, // "org_admin"
  'DELETE /webhooks/{subscription_id}': orgAdmin, // "org_admin"
  'GET /webhooks/{subscription_id}/deliveries': ['org_admin', 'org_viewer'], // "org_admin or org_viewer"
  'POST /webhooks/{subscription_id}/test': orgAdmin, // "org_admin"
  'GET /webhooks/events': loggedIn,
  'POST /orgs/me/service-keys/public': orgAdmin,
  'PUT /orgs/me/service-keys/{service_key_id}/public-key': orgAdmin,
  'POST /webhooks/streams': orgAdmin,
  'POST /webhooks/streams/{subscription_id}/deliveries': orgAdmin,
  'POST /webhooks/streams/{subscription_id}/outcomes': orgAdmin,
  'POST /webhooks/{subscription_id}/rotate-secret': orgAdmin,
  'POST /webhooks/{subscription_id}/recover': orgAdmin,
  'GET /webhooks/{subscription_id}/deliveries/{delivery_id}': ['org_admin', 'org_viewer'],
  'POST /webhooks/{subscription_id}/deliveries/{delivery_id}/replay': orgAdmin,

  // Background tasks, for the user who started them
  'GET /tasks/{task_id}': loggedIn,
  // Entries about the caller or the caller's organisation. A viewer is not responsible for the organisation.
  'GET /audit-log': ['member', 'org_admin', 'auditor', 'platform_admin'],
  'GET /audit-log/head': ['org_admin', 'auditor', 'platform_admin'],

  // Running the service
  'GET /operator/health': operator,
  'GET /operator/users': operator,
  'GET /operator/users/{user_id}': operator,
  'POST /operator/users/{user_id}/suspend': operator,
  'POST /operator/users/{user_id}/resume': operator,
  'POST /operator/users/{user_id}/reset-mfa': operator,
  'GET /operator/organisations': operator,
  'GET /operator/organisations/{org_id}': operator,
  'PATCH /operator/organisations/{org_id}': operator,
  'POST /operator/organisations/{org_id}/suspend': operator,
  'POST /operator/organisations/{org_id}/resume': operator,
  'POST /operator/organisations/{org_id}/domains/{domain}/verify': operator,
  'GET /operator/probing': operator,
  'GET /operator/queue': operator,
  'POST /operator/queue/retry': operator,
  'POST /operator/work': operator,
  'GET /operator/queue/failures': operator,
  'POST /operator/queue/failures/{failure_id}/retry': operator,
  'GET /operator/ledger': operator,
  'GET /operator/top-ups': operator,
  'POST /operator/top-ups': operator,
  'GET /operator/payments': operator,
  'GET /operator/service-keys': operator,
  'POST /operator/service-keys': operator,
  'POST /operator/service-keys/public': operator,
  'PUT /operator/service-keys/{service_key_id}/public-key': operator,
  'POST /operator/service-keys/{service_key_id}/rotate': operator,
  'DELETE /operator/service-keys/{service_key_id}': operator,
  'GET /operator/service-keys/{service_key_id}/requests': operator,
  'GET /operator/keys': operator,
  'POST /operator/keys/rotate': operator,
  'POST /operator/keys/{kid}/revoke': operator,
  'GET /operator/calibrations': operator,
  'POST /operator/calibrations': operator,
  'GET /operator/banks': operator,
  'GET /operator/banks/{bank}/versions/{version}': operator,
  'GET /operator/banks/{bank}/versions/{version}/preview': operator,
  'POST /operator/banks/{bank}/versions/{version}/use': operator,
  'GET /operator/item-findings': operator,
  'POST /operator/item-findings/{finding_id}/decide': operator,
  'POST /operator/item-findings/{finding_id}/undo': operator,
  'GET /operator/policies': operator,
  'POST /operator/policies/rollback': operator,
  'GET /operator/policies/{version}/preview': operator,
  'POST /operator/policies/{version}/promote': operator,
  'POST /operator/calibrations/{version}/activate': operator,
  'GET /operator/match-index': operator,
  'POST /operator/match-index/recompute': operator,
  'GET /orgs/me/partners': organisation,
  'PUT /orgs/me/partners/{partner}': orgAdmin,
  'DELETE /orgs/me/partners/{partner}': orgAdmin,
  'GET /sandbox': administrators,
  'POST /sandbox/clock': administrators,
  'POST /sandbox/year': orgAdmin,
  'DELETE /sandbox/year': administrators,
};
