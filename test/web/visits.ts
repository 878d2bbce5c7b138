/**
 * Who looks at a page: nobody in particular, a new member, a member amid the assessment, one whose answers are complete but say little, a
 * member who is matched, or an administrator.
 */
export type Persona = 'stranger' | 'newcomer' | 'answering' | 'undecided' | 'matched' | 'admin';

/** What the addresses need: ids that exist only once the personas do. */
export type VisitIds = {
  readonly export_task: string;
  readonly match: string;
  readonly job: string;
  readonly credential: string;
  readonly revoked_credential: string;
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

/** How the tests and the screenshots visit each page, by its path in `src/pages.ts`. A download has none. */
export const pageVisits: Readonly<Record<string, readonly PageVisit[]>> = {
  '/': [visit('landing', 'stranger', '/')],
  '/sign-in': [visit('log-in', 'stranger', '/sign-in')],
  '/register': [
    visit('register', 'stranger', '/register'),
    visit('register-organisation', 'stranger', '/register?for=organisation'),
  ],
  '/forgot-password': [visit('forgot-password', 'stranger', '/forgot-password')],
  '/reset-password': [visit('reset-password', 'stranger', '/reset-password?token=sample')],
  '/verify-email': [
    visit('verify-email', 'stranger', '/verify-email?token=sample'),
    visit('verify-email-incomplete', 'stranger', '/verify-email'),
  ],
  '/accept-invitation': [visit('accept-invitation', 'stranger', '/accept-invitation?token=sample')],
  '/cancel-deletion': [visit('cancel-deletion', 'stranger', '/cancel-deletion?token=sample')],
  '/app': [
    visit('home-newcomer', 'newcomer', '/app?notice=emailSent'),
    visit('home-matched', 'matched', '/app'),
    visit('home-organisation', 'admin', '/app'),
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
    visit('assessment-deepening', 'matched', '/app/assessment?more=true'),
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
  '/app/archetype': [
    visit('archetype', 'matched', '/app/archetype'),
    visit('archetype-between', 'undecided', '/app/archetype'),
    visit('archetype-not-yet', 'newcomer', '/app/archetype'),
  ],
  '/app/preferences': [
    visit('preferences', 'matched', '/app/preferences'),
    visit('preferences-missing', 'undecided', '/app/preferences'),
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
  '/app/jobs': [visit('jobs', 'admin', '/app/jobs')],
  '/app/jobs/{job_id}': [
    { name: 'shortlist', as: 'admin', getAddress: ({ job }) => `/app/jobs/${job}` },
    {
      name: 'shortlist-asked',
      as: 'admin',
      getAddress: ({ job }) => `/app/jobs/${job}?status=org_interested`,
    },
  ],
  '/app/matches/{match_id}': [
    { name: 'match', as: 'matched', getAddress: ({ match }) => `/app/matches/${match}` },
  ],
};
