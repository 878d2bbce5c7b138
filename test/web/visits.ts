import type { OrganisationIds } from './organisation-personas.ts';

/**
 * Who looks at a page: nobody in particular, a new member, a member amid the assessment, one whose answers are complete but say little, a
 * member who is matched, an administrator, a viewer or an auditor of an organisation, the administrator of one that has just begun, or the
 * operator.
 */
export type Persona =
  | 'stranger'
  | 'newcomer'
  | 'answering'
  | 'undecided'
  | 'matched'
  | 'admin'
  | 'viewer'
  | 'auditor'
  | 'founder'
  | 'operator';

/** What the addresses need: ids that exist only once the personas do. */
export type VisitIds = OrganisationIds & {
  readonly export_task: string;
  readonly match: string;
  readonly job: string;
  readonly credential: string;
  readonly revoked_credential: string;
  readonly user: string;
  readonly protected_user: string;
  readonly organisation: string;
  readonly suspended_organisation: string;
  readonly key: string;
  /** A service key of the operator. */
  readonly operator_service_key: string;
  /** The grant of an agent that may spend money, and the address at which an agent asks to be connected. */
  readonly grant: string;
  readonly authorization: string;
  /** Two tests of volunteers: one that has begun, and a complete one. */
  readonly begun_test: string;
  readonly complete_test: string;
};

/** One look at a page: its name, by whom, and where. */
export type PageVisit = {
  readonly name: string;
  readonly as: Persona;
  readonly getAddress: (ids: VisitIds) => string;
  /** What the visitor does before the page looks as it should: press the button with this name. */
  readonly press?: string;
};

const visit = (name: string, as: Persona, address: string, press?: string): PageVisit => ({
  name,
  as,
  getAddress: () => address,
  ...(press !== undefined && { press }),
});

const visitBy = (name: string, as: Persona, getAddress: PageVisit['getAddress']): PageVisit => ({
  name,
  as,
  getAddress,
});

/** How the tests and the screenshots visit each page, by its path in `src/tables/pages.ts`. A download has none. */
export const pageVisits: Readonly<Record<string, readonly PageVisit[]>> = {
  '/': [visit('landing', 'stranger', '/')],
  '/how-it-works': [visit('how-it-works', 'stranger', '/how-it-works')],
  '/for-employers': [
    visit('for-employers', 'stranger', '/for-employers'),
    visit(
      'for-employers-tried',
      'stranger',
      '/for-employers?first=sincerity&second=empathic_attunement&third=persistence',
    ),
    visit('for-employers-occupation', 'stranger', '/for-employers?occupation=nurse'),
    visit('for-employers-logged-in', 'admin', '/for-employers'),
  ],
  '/prices': [visit('prices', 'stranger', '/prices')],
  '/transparency': [visit('transparency', 'stranger', '/transparency')],
  '/technical-report': [visit('technical-report', 'stranger', '/technical-report')],
  '/fairness': [visit('fairness', 'stranger', '/fairness')],
  '/about': [visit('about', 'stranger', '/about')],
  '/terms': [visit('terms', 'stranger', '/terms')],
  '/privacy': [visit('privacy', 'stranger', '/privacy')],
  '/sign-in': [
    visit('log-in', 'stranger', '/sign-in'),
    visitBy(
      'log-in-for-agent',
      'stranger',
      ({ authorization }) => `/sign-in?continue=${encodeURIComponent(authorization)}`,
    ),
  ],
  '/open-account': [
    visit('open-account', 'stranger', '/open-account?token=unknown'),
    visit('open-account-incomplete', 'stranger', '/open-account'),
  ],
  '/register': [
    visit('register', 'stranger', '/register'),
    visit('register-organisation', 'stranger', '/register?for=organisation'),
  ],
  '/model-card': [visit('model-card', 'stranger', '/model-card')],
  '/oauth/interaction/{uid}': [
    visitBy('agent-asks', 'stranger', ({ authorization }) => authorization),
    visitBy('agent-consent', 'matched', ({ authorization }) => authorization),
    visitBy('agent-consent-organisation', 'admin', ({ authorization }) => authorization),
    visitBy('agent-consent-operator', 'operator', ({ authorization }) => authorization),
  ],
  '/oauth/handle': [
    visit('handle', 'stranger', '/oauth/handle'),
    visit('handle-protect', 'stranger', '/oauth/handle?handle=ada-lind'),
  ],
  '/app/agents': [
    visit('agents', 'matched', '/app/agents'),
    visit('agents-organisation', 'admin', '/app/agents'),
    visit('agents-empty', 'newcomer', '/app/agents'),
  ],
  '/app/agents/{grant_id}/limit': [
    visitBy('agent-limit', 'admin', ({ grant }) => `/app/agents/${grant}/limit`),
  ],
  '/first-mirror': [
    visit('first-mirror', 'stranger', '/first-mirror'),
    visit('first-mirror-answered', 'stranger', '/first-mirror', 'Strongly agree'),
  ],
  '/keep-mirror': [
    visit('keep-mirror', 'stranger', '/keep-mirror?token=sample'),
    visit('keep-mirror-incomplete', 'stranger', '/keep-mirror'),
  ],
  '/science': [
    visit('science', 'stranger', '/science'),
    visit('science-second', 'stranger', '/science?invitation=sample'),
  ],
  '/science/{code}': [
    visitBy('science-statement', 'stranger', ({ begun_test }) => `/science/${begun_test}`),
    visitBy('science-result', 'stranger', ({ complete_test }) => `/science/${complete_test}`),
  ],
  '/science-retest': [
    visit('science-retest', 'stranger', '/science-retest?token=sample'),
    visit('science-retest-incomplete', 'stranger', '/science-retest'),
  ],
  '/claim': [visit('claim', 'stranger', '/claim')],
  '/forgot-password': [visit('forgot-password', 'stranger', '/forgot-password')],
  '/reset-password': [visit('reset-password', 'stranger', '/reset-password?token=sample')],
  '/verify-email': [
    visit('verify-email', 'stranger', '/verify-email?token=sample'),
    visit('verify-email-incomplete', 'stranger', '/verify-email'),
  ],
  '/accept-invitation': [visit('accept-invitation', 'stranger', '/accept-invitation?token=sample')],
  '/invitation': [
    visitBy('invitation', 'stranger', ({ invitation_link }) => `/invitation?token=${invitation_link}`),
    visitBy('invitation-member', 'newcomer', ({ invitation_link }) => `/invitation?token=${invitation_link}`),
    visit('invitation-incomplete', 'stranger', '/invitation'),
  ],
  '/account-closed': [visit('account-closed', 'stranger', '/account-closed')],
  '/account-kept': [visit('account-kept', 'stranger', '/account-kept')],
  '/cancel-deletion': [visit('cancel-deletion', 'stranger', '/cancel-deletion?token=sample')],
  '/app': [
    visit('home-newcomer', 'newcomer', '/app?notice=emailSent'),
    visit('home-matched', 'matched', '/app'),
    visit('home-organisation', 'admin', '/app'),
    visit('home-founder', 'founder', '/app'),
  ],
  '/app/account': [
    visit('account', 'newcomer', '/app/account'),
    visit('account-organisation', 'admin', '/app/account'),
  ],
  '/app/account/confirm': [visit('confirm', 'newcomer', '/app/account/confirm')],
  '/app/account/email': [visit('email', 'newcomer', '/app/account/email')],
  '/app/account/password': [visit('password', 'newcomer', '/app/account/password')],
  '/app/account/mfa': [
    visit('mfa', 'newcomer', '/app/account/mfa'),
    visit('mfa-qr', 'newcomer', '/app/account/mfa', 'Begin'),
  ],
  '/app/account/appearance': [visit('appearance', 'newcomer', '/app/account/appearance')],
  '/app/account/passkeys': [
    visit('passkeys', 'newcomer', '/app/account/passkeys'),
    visit('passkeys-added', 'matched', '/app/account/passkeys'),
  ],
  '/app/account/devices': [visit('devices', 'newcomer', '/app/account/devices')],
  '/app/account/notifications': [
    visit('notifications', 'newcomer', '/app/account/notifications'),
    visit('notifications-organisation', 'admin', '/app/account/notifications'),
  ],
  '/app/account/data': [
    visit('data', 'newcomer', '/app/account/data'),
    {
      name: 'data-ready',
      as: 'newcomer',
      getAddress: ({ export_task }) => `/app/account/data?task=${export_task}`,
    },
  ],
  '/app/account/data/{task_id}': [],
  '/app/account/delete': [visit('delete', 'newcomer', '/app/account/delete')],
  '/app/assessment': [
    visit('assessment-introduction', 'newcomer', '/app/assessment'),
    visit('assessment-statement', 'answering', '/app/assessment'),
    visit('assessment-first-results', 'matched', '/app/assessment'),
    visit('assessment-complete', 'undecided', '/app/assessment'),
  ],
  '/app/traits': [
    visit('traits', 'matched', '/app/traits'),
    visit('traits-retake', 'undecided', '/app/traits'),
    visit('traits-not-yet', 'newcomer', '/app/traits'),
  ],
  '/app/matches': [
    visit('matches', 'matched', '/app/matches'),
    visit('matches-not-yet', 'newcomer', '/app/matches'),
  ],
  '/app/matches/{match_id}/transaction': [
    visitBy('propose-read', 'matched', ({ match }) => `/app/matches/${match}/transaction`),
  ],
  '/app/matches/{match_id}/review': [
    visitBy('review', 'matched', ({ match }) => `/app/matches/${match}/review`),
    visitBy('review-asked', 'matched', ({ placed_match }) => `/app/matches/${placed_match}/review`),
  ],
  '/app/invitations': [
    visit('invitations', 'matched', '/app/invitations'),
    visit('invitations-empty', 'newcomer', '/app/invitations'),
  ],
  '/app/rights': [
    visit('rights', 'matched', '/app/rights'),
    visit('rights-newcomer', 'newcomer', '/app/rights'),
  ],
  '/app/reviews': [
    visit('reviews', 'admin', '/app/reviews'),
    visit('reviews-viewer', 'viewer', '/app/reviews'),
    visit('reviews-empty', 'founder', '/app/reviews'),
  ],
  '/app/operator/reviews': [visit('operator-reviews', 'operator', '/app/operator/reviews')],
  '/app/jobs': [visit('jobs', 'admin', '/app/jobs'), visit('jobs-empty', 'founder', '/app/jobs')],
  '/app/jobs/new': [
    visit('job-new', 'admin', '/app/jobs/new'),
    visit('job-new-occupation', 'admin', '/app/jobs/new?occupation=care&template=99-1001.00'),
    visit('job-new-viewer', 'viewer', '/app/jobs/new'),
  ],
  '/app/jobs/import': [
    visit('job-import', 'admin', '/app/jobs/import'),
    visit('job-import-viewer', 'viewer', '/app/jobs/import'),
  ],
  '/app/example': [visit('example', 'admin', '/app/example')],
  '/app/jobs/reach': [visit('job-reach', 'admin', '/app/jobs/reach?priority_persistence=0.8')],
  '/app/traits/pdf': [],
  '/app/archetype': [
    visit('archetype', 'matched', '/app/archetype'),
    visit('archetype-between', 'undecided', '/app/archetype'),
    visit('archetype-not-yet', 'newcomer', '/app/archetype'),
  ],
  '/app/preferences': [
    visit('preferences', 'matched', '/app/preferences'),
    visit('preferences-missing', 'undecided', '/app/preferences'),
  ],
  '/app/preferences/profile': [
    visit('profile', 'matched', '/app/preferences/profile'),
    visit('profile-missing', 'undecided', '/app/preferences/profile'),
  ],
  '/app/income': [
    visit('income', 'matched', '/app/income'),
    visit('income-empty', 'newcomer', '/app/income'),
  ],
  '/app/income/reads/{read_id}/receipt': [],
  '/app/income/payouts/{payout_id}/receipt': [],
  '/app/income/transactions': [
    visit('transactions', 'matched', '/app/income/transactions'),
    visit('transactions-empty', 'newcomer', '/app/income/transactions'),
  ],
  '/app/income/payout': [
    visit('payout', 'matched', '/app/income/payout'),
    visit('payout-nothing', 'newcomer', '/app/income/payout'),
  ],
  '/app/self-identification': [
    visit('self-identification', 'undecided', '/app/self-identification'),
    visit('self-identification-not-yet', 'newcomer', '/app/self-identification'),
  ],
  '/app/credentials': [
    visit('credentials', 'matched', '/app/credentials'),
    visit('credentials-empty', 'newcomer', '/app/credentials'),
  ],
  '/app/credentials/new': [
    visit('credential-new', 'matched', '/app/credentials/new'),
    visit('credential-new-not-yet', 'newcomer', '/app/credentials/new'),
  ],
  '/app/credentials/{credential_id}': [
    {
      name: 'credential',
      as: 'matched',
      getAddress: ({ credential }) => `/app/credentials/${credential}`,
    },
    {
      name: 'credential-revoked',
      as: 'matched',
      getAddress: ({ revoked_credential }) => `/app/credentials/${revoked_credential}`,
    },
  ],
  '/app/credentials/{credential_id}/pdf': [],
  '/app/credentials/{credential_id}/badge/{format}': [],
  '/app/credentials/{credential_id}/wallet': [
    {
      name: 'wallet',
      as: 'matched',
      getAddress: ({ credential }) => `/app/credentials/${credential}/wallet`,
    },
    {
      name: 'wallet-offer',
      as: 'matched',
      getAddress: ({ credential }) => `/app/credentials/${credential}/wallet`,
      press: 'Offer it to a wallet',
    },
  ],
  '/app/credentials/{credential_id}/revoke': [
    {
      name: 'credential-revoke',
      as: 'matched',
      getAddress: ({ credential }) => `/app/credentials/${credential}/revoke`,
    },
  ],
  '/app/consent': [
    visit('consent', 'matched', '/app/consent'),
    visit('consent-newcomer', 'newcomer', '/app/consent'),
  ],
  '/app/consent/withdraw-all': [visit('withdraw-all', 'newcomer', '/app/consent/withdraw-all')],
  '/app/consent/{consent_type}': [
    visit('consent-matching', 'matched', '/app/consent/matching'),
    visit('consent-sharing', 'undecided', '/app/consent/credential_sharing'),
    visit('consent-queries', 'matched', '/app/consent/identity_queries'),
    visit('consent-self-identification', 'matched', '/app/consent/demographic_self_identification'),
  ],
  '/app/jobs/{job_id}/table': [
    visitBy('table', 'admin', ({ crowd_job }) => `/app/jobs/${crowd_job}/table`),
    visitBy(
      'table-pinned',
      'admin',
      ({ crowd_job, crowd }) => `/app/jobs/${crowd_job}/table?status=all&sort=asked&pins=${crowd}`,
    ),
    visitBy('table-viewer', 'viewer', ({ crowd_job }) => `/app/jobs/${crowd_job}/table?label=second+round`),
  ],
  '/app/jobs/{job_id}/compare': [
    visitBy('compare', 'admin', ({ crowd_job, crowd }) => `/app/jobs/${crowd_job}/compare?people=${crowd}`),
    visitBy('compare-viewer', 'viewer', ({ crowd_job }) => `/app/jobs/${crowd_job}/compare`),
  ],
  '/app/jobs/{job_id}': [
    visitBy('shortlist', 'admin', ({ crowd_job }) => `/app/jobs/${crowd_job}`),
    visitBy('shortlist-undo', 'admin', ({ crowd_job, grant }) => `/app/jobs/${crowd_job}?decision=${grant}`),
    visitBy('shortlist-tier', 'viewer', ({ crowd_job }) => `/app/jobs/${crowd_job}?quality=strong`),
    visitBy('shortlist-asked', 'admin', ({ crowd_job }) => `/app/jobs/${crowd_job}?status=org_interested`),
    visitBy(
      'shortlist-agreed',
      'admin',
      ({ agreed_job }) => `/app/jobs/${agreed_job}?status=member_accepted`,
    ),
    visitBy('shortlist-placed', 'admin', ({ placed_job }) => `/app/jobs/${placed_job}?status=placed`),
    visitBy('shortlist-placed-viewer', 'viewer', ({ placed_job }) => `/app/jobs/${placed_job}?status=placed`),
    visitBy(
      'shortlist-auditor',
      'auditor',
      ({ agreed_job }) => `/app/jobs/${agreed_job}?status=member_accepted`,
    ),
  ],
  '/app/jobs/{job_id}/edit': [
    visitBy(
      'job-edit',
      'admin',
      ({ crowd_job }) => `/app/jobs/${crowd_job}/edit?occupation=care&template=99-1001.00`,
    ),
  ],
  '/app/jobs/{job_id}/invitations': [
    visitBy('job-invitations', 'admin', ({ crowd_job }) => `/app/jobs/${crowd_job}/invitations`),
    visitBy('job-invitations-viewer', 'viewer', ({ crowd_job }) => `/app/jobs/${crowd_job}/invitations`),
    visitBy('job-invitations-empty', 'admin', ({ agreed_job }) => `/app/jobs/${agreed_job}/invitations`),
  ],
  '/app/jobs/{job_id}/close': [
    visitBy('job-close', 'admin', ({ crowd_job }) => `/app/jobs/${crowd_job}/close`),
  ],
  '/app/culture': [
    visit('culture', 'admin', '/app/culture'),
    visit('culture-not-yet', 'founder', '/app/culture'),
  ],
  '/app/culture/questionnaire': [
    visit('questionnaire', 'admin', '/app/culture/questionnaire'),
    visit('questionnaire-ranking', 'admin', '/app/culture/questionnaire?step=8'),
    visit('questionnaire-refused', 'viewer', '/app/culture/questionnaire', 'Save and go on'),
  ],
  '/app/culture/declaration': [
    visit('declaration', 'founder', '/app/culture/declaration'),
    visit('declaration-refused', 'founder', '/app/culture/declaration', 'Publish our declaration'),
    visit('declaration-measured', 'admin', '/app/culture/declaration'),
  ],
  '/app/people': [visit('people', 'admin', '/app/people'), visit('people-viewer', 'viewer', '/app/people')],
  '/app/people/{user_id}': [
    visitBy('person', 'admin', ({ colleague }) => `/app/people/${colleague}`),
    visitBy('person-invited', 'admin', ({ invitation }) => `/app/people/${invitation}`),
    visitBy('person-only-admin', 'founder', ({ only_admin }) => `/app/people/${only_admin}`),
  ],
  '/app/attestations': [
    visit('attestations', 'admin', '/app/attestations'),
    visit('attestations-viewer', 'viewer', '/app/attestations'),
    visit('attestations-empty', 'founder', '/app/attestations'),
  ],
  '/app/attestations/new': [
    visit('attestation-new', 'admin', '/app/attestations/new'),
    visit('attestation-new-viewer', 'viewer', '/app/attestations/new'),
    visit('attestation-new-nobody', 'founder', '/app/attestations/new'),
  ],
  '/app/attestations/table': [visit('attest-table', 'admin', '/app/attestations/table')],
  '/app/achievements': [
    visit('achievements', 'admin', '/app/achievements'),
    visit('achievements-auditor', 'auditor', '/app/achievements'),
  ],
  '/app/organisation': [
    visit('organisation', 'admin', '/app/organisation'),
    visit('organisation-viewer', 'viewer', '/app/organisation'),
  ],
  '/app/organisation/leave': [visit('leave', 'viewer', '/app/organisation/leave')],
  '/app/sso': [
    visit('sso', 'admin', '/app/sso'),
    visit('sso-xml', 'admin', '/app/sso?by=xml'),
    visit('sso-openid', 'admin', '/app/sso?by=openid'),
    visit('sso-tier', 'founder', '/app/sso'),
  ],
  '/app/directory': [visit('directory', 'admin', '/app/directory')],
  '/app/reports': [
    visit('reports', 'admin', '/app/reports'),
    visit('reports-age', 'auditor', '/app/reports?attribute=age_band'),
    visit('reports-viewer', 'viewer', '/app/reports'),
    visit('reports-empty', 'founder', '/app/reports'),
  ],
  '/app/reports/matches': [],
  '/app/reports/bias': [],
  '/app/jobs/{job_id}/matches/{match_id}/report': [],
  '/app/jobs/{job_id}/posting': [],
  '/app/audit/head': [],
  '/app/audit': [
    visit('audit', 'auditor', '/app/audit'),
    visit('audit-filtered', 'admin', '/app/audit?action=jobs.created'),
  ],
  '/app/reads': [
    visit('reads', 'admin', '/app/reads'),
    visit('reads-viewer', 'viewer', '/app/reads'),
    visit('reads-empty', 'founder', '/app/reads'),
  ],
  '/app/reads/{read_id}/receipt': [],
  '/app/reads/new': [
    visitBy('read-new', 'admin', ({ readable_person }) => `/app/reads/new?member_id=${readable_person}`),
    {
      name: 'read-done',
      as: 'admin',
      getAddress: ({ readable_person }) => `/app/reads/new?member_id=${readable_person}`,
      press: 'Read for free',
    },
    visitBy('read-paid', 'founder', ({ readable_person }) => `/app/reads/new?member_id=${readable_person}`),
    visit('read-viewer', 'viewer', '/app/reads/new'),
  ],
  '/app/reads/balance': [
    visit('balance', 'admin', '/app/reads/balance'),
    visit('balance-viewer', 'viewer', '/app/reads/balance'),
    visit('balance-empty', 'founder', '/app/reads/balance'),
  ],
  '/app/reads/balance/statement': [],
  '/app/reads/transactions': [
    visit('proposed', 'admin', '/app/reads/transactions'),
    visit('proposed-viewer', 'viewer', '/app/reads/transactions'),
    visit('proposed-empty', 'founder', '/app/reads/transactions'),
  ],
  '/app/reads/wallets': [
    visit('org-wallets', 'admin', '/app/reads/wallets'),
    visit('org-wallets-empty', 'founder', '/app/reads/wallets'),
  ],
  '/app/reads/wallets/{wallet_id}': [
    visitBy('org-wallet-remove', 'admin', ({ org_wallet }) => `/app/reads/wallets/${org_wallet}`),
  ],
  '/app/keys': [
    visit('keys', 'admin', '/app/keys'),
    visit('keys-auditor', 'auditor', '/app/keys'),
    visit('keys-viewer', 'viewer', '/app/keys'),
    visit('keys-empty', 'founder', '/app/keys'),
  ],
  '/app/keys/new': [
    visit('key-new', 'admin', '/app/keys/new'),
    visit('key-new-refused', 'admin', '/app/keys/new', 'Create the key'),
    visit('key-new-viewer', 'viewer', '/app/keys/new'),
  ],
  '/app/keys/{service_key_id}': [
    visitBy('service-key', 'admin', ({ service_key }) => `/app/keys/${service_key}`),
    visitBy('service-key-auditor', 'auditor', ({ service_key }) => `/app/keys/${service_key}`),
    visitBy('public-key', 'admin', ({ public_key }) => `/app/keys/${public_key}`),
  ],
  '/app/webhooks': [
    visit('webhooks', 'admin', '/app/webhooks'),
    visit('webhooks-empty', 'founder', '/app/webhooks'),
  ],
  '/app/webhooks/new': [
    visit('webhook-new', 'admin', '/app/webhooks/new'),
    visit('webhook-new-viewer', 'viewer', '/app/webhooks/new'),
  ],
  '/app/webhooks/{subscription_id}': [
    visitBy('webhook', 'admin', ({ webhook }) => `/app/webhooks/${webhook}`),
    visitBy('webhook-inactive', 'admin', ({ inactive_webhook }) => `/app/webhooks/${inactive_webhook}`),
    visitBy('webhook-filtered', 'viewer', ({ webhook }) => `/app/webhooks/${webhook}?status=failed`),
  ],
  '/app/webhooks/{subscription_id}/edit': [
    visitBy('webhook-edit', 'admin', ({ webhook }) => `/app/webhooks/${webhook}/edit`),
  ],
  '/app/webhooks/{subscription_id}/rotate': [
    visitBy('webhook-rotate', 'admin', ({ webhook }) => `/app/webhooks/${webhook}/rotate`),
    {
      name: 'webhook-secret',
      as: 'admin',
      getAddress: ({ webhook }) => `/app/webhooks/${webhook}/rotate`,
      press: 'Rotate the secret',
    },
  ],
  '/app/webhooks/{subscription_id}/delete': [
    visitBy('webhook-delete', 'admin', ({ webhook }) => `/app/webhooks/${webhook}/delete`),
  ],
  '/app/webhooks/{subscription_id}/deliveries/{delivery_id}': [
    visitBy(
      'webhook-delivery',
      'admin',
      ({ failing_webhook, webhook_delivery }) =>
        `/app/webhooks/${failing_webhook}/deliveries/${webhook_delivery}`,
    ),
  ],
  '/app/matches/{match_id}': [
    { name: 'match', as: 'matched', getAddress: ({ match }) => `/app/matches/${match}` },
    visitBy('match-placed', 'matched', ({ placed_match }) => `/app/matches/${placed_match}`),
  ],

  '/app/operator': [visit('operator', 'operator', '/app/operator')],
  '/app/operator/users': [
    visit('operator-users', 'operator', '/app/operator/users'),
    visit('operator-users-found', 'operator', '/app/operator/users?q=ada'),
    visit('operator-users-suspended', 'operator', '/app/operator/users?suspended=true'),
  ],
  '/app/operator/users/{user_id}': [
    { name: 'operator-user', as: 'operator', getAddress: ({ user }) => `/app/operator/users/${user}` },
    {
      name: 'operator-user-protected',
      as: 'operator',
      getAddress: ({ protected_user }) => `/app/operator/users/${protected_user}`,
    },
  ],
  '/app/operator/users/{user_id}/reset-mfa': [
    {
      name: 'operator-reset-mfa',
      as: 'operator',
      getAddress: ({ protected_user }) => `/app/operator/users/${protected_user}/reset-mfa`,
    },
  ],
  '/app/operator/organisations': [
    visit('operator-organisations', 'operator', '/app/operator/organisations'),
    visit('operator-organisations-none', 'operator', '/app/operator/organisations?q=nobody'),
  ],
  '/app/operator/organisations/{org_id}': [
    {
      name: 'operator-organisation-suspended',
      as: 'operator',
      getAddress: ({ suspended_organisation }) => `/app/operator/organisations/${suspended_organisation}`,
    },
    {
      name: 'operator-organisation',
      as: 'operator',
      getAddress: ({ organisation }) => `/app/operator/organisations/${organisation}`,
    },
  ],
  '/app/operator/queue': [visit('operator-queue', 'operator', '/app/operator/queue')],
  '/app/operator/queue/{task}': [
    visit('operator-failures', 'operator', '/app/operator/queue/accounts.sendNotice'),
    visit('operator-failures-none', 'operator', '/app/operator/queue/accounts.sendVerification'),
  ],
  '/app/partners': [
    visit('partners', 'admin', '/app/partners'),
    visit('partners-refused', 'admin', '/app/partners', 'Connect Ashby'),
    visit('partners-viewer', 'viewer', '/app/partners'),
  ],
  '/app/operator/service-keys': [visit('operator-service-keys', 'operator', '/app/operator/service-keys')],
  '/app/operator/service-keys/new': [
    visit('operator-service-key-new', 'operator', '/app/operator/service-keys/new'),
  ],
  '/app/operator/service-keys/{service_key_id}': [
    {
      name: 'operator-service-key',
      as: 'operator',
      getAddress: ({ operator_service_key }) => `/app/operator/service-keys/${operator_service_key}`,
    },
  ],
  '/app/operator/keys': [visit('operator-keys', 'operator', '/app/operator/keys')],
  '/app/operator/keys/{kid}': [
    { name: 'operator-key', as: 'operator', getAddress: ({ key }) => `/app/operator/keys/${key}` },
  ],
  '/app/operator/calibration': [visit('operator-calibration', 'operator', '/app/operator/calibration')],
  '/app/operator/banks': [visit('operator-banks', 'operator', '/app/operator/banks')],
  '/app/operator/banks/{bank}/{version}': [
    visit('operator-bank-version', 'operator', '/app/operator/banks/tessera/mvp20-2.correlated'),
    visit(
      'operator-bank-preview',
      'operator',
      '/app/operator/banks/tessera/mvp20-2.anchored?scale=sincerity&preview=yes',
    ),
  ],
  '/app/operator/findings': [
    visit('operator-findings', 'operator', '/app/operator/findings'),
    visit('operator-findings-accepted', 'operator', '/app/operator/findings?state=accepted'),
    visit('operator-findings-dismissed', 'operator', '/app/operator/findings?state=dismissed'),
  ],
  '/app/operator/ledger': [visit('operator-ledger', 'operator', '/app/operator/ledger')],
  '/app/operator/top-ups': [visit('operator-top-ups', 'operator', '/app/operator/top-ups')],
  '/app/operator/matching': [visit('operator-matching', 'operator', '/app/operator/matching')],
  '/app/operator/policies': [
    visit('operator-policies', 'operator', '/app/operator/policies'),
    visit('operator-policies-preview', 'operator', '/app/operator/policies?preview=2'),
  ],
  '/app/operator/health': [visit('operator-health', 'operator', '/app/operator/health')],
};
