/** How the caller of a row proves their identity or their payment. */
export type Auth = 'public' | 'jwt' | 'x402';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A REST row of the specification; `path` is relative to `/api/v1` and names its parameters as `{job_id}`. */
export type SpecifiedRow = {
  readonly section: string;
  readonly method: Method;
  readonly path: string;
  readonly auth: Auth;
};

const sections: Readonly<Record<string, readonly (readonly [Method, string, Auth])[]>> = {
  Authentication: [
    ['POST', '/auth/register', 'public'],
    ['POST', '/auth/login', 'public'],
    ['POST', '/auth/refresh', 'public'],
    ['POST', '/auth/logout', 'public'],
    ['GET', '/auth/me', 'jwt'],
    ['POST', '/auth/forgot-password', 'public'],
    ['POST', '/auth/reset-password', 'public'],
    ['POST', '/auth/mfa/setup', 'jwt'],
    ['POST', '/auth/mfa/verify', 'jwt'],
    ['POST', '/auth/mfa/disable', 'jwt'],
    ['POST', '/auth/mfa/authenticate', 'public'],
  ],
  'Jobs (organisation)': [
    ['POST', '/orgs/me/jobs', 'jwt'],
    ['GET', '/orgs/me/jobs', 'jwt'],
    ['GET', '/orgs/me/jobs/{job_id}', 'jwt'],
    ['PATCH', '/orgs/me/jobs/{job_id}', 'jwt'],
    ['DELETE', '/orgs/me/jobs/{job_id}', 'jwt'],
    ['GET', '/orgs/me/jobs/{job_id}/matches', 'jwt'],
    ['POST', '/orgs/me/jobs/{job_id}/recompute-matches', 'jwt'],
  ],
  Matches: [
    ['GET', '/matches/{match_id}', 'jwt'],
    ['GET', '/matches/{match_id}/explanation', 'jwt'],
    ['POST', '/matches/{match_id}/feedback', 'jwt'],
    ['GET', '/matches/{match_id}/feedback', 'jwt'],
    ['POST', '/matches/{match_id}/outcome', 'jwt'],
    ['PUT', '/matches/{match_id}/status', 'jwt'],
    ['POST', '/matches/compute', 'jwt'],
    ['GET', '/matches/job/{job_id}', 'jwt'],
    ['GET', '/matches/member/{member_id}', 'jwt'],
  ],
  Members: [
    ['GET', '/members/me', 'jwt'],
    ['DELETE', '/members/me', 'jwt'],
    ['PUT', '/members/me/profile', 'jwt'],
    ['GET', '/members/me/traits', 'jwt'],
    ['GET', '/members/me/archetype', 'jwt'],
    ['GET', '/members/me/matches', 'jwt'],
    ['GET', '/members/me/consent', 'jwt'],
    ['POST', '/members/me/consent', 'jwt'],
    ['POST', '/members/me/consent/withdraw-all', 'jwt'],
    ['POST', '/members/me/data-export', 'jwt'],
    ['GET', '/members/me/earnings', 'jwt'],
    ['GET', '/members/me/legibility', 'jwt'],
  ],
  'Credential queries': [
    ['POST', '/orgs/queries/credential', 'x402'],
    ['GET', '/orgs/queries/earnings/summary', 'jwt'],
    ['GET', '/orgs/queries/earnings/history', 'jwt'],
    ['GET', '/orgs/queries/consent/config', 'jwt'],
    ['PUT', '/orgs/queries/consent/category', 'jwt'],
  ],
  'Identity claim': [
    ['GET', '/identity/stub/{claim_code}', 'public'],
    ['POST', '/identity/claim', 'public'],
  ],
  Organisations: [
    ['GET', '/orgs/me', 'jwt'],
    ['PATCH', '/orgs/me', 'jwt'],
    ['GET', '/orgs/me/culture-profile', 'jwt'],
    ['GET', '/orgs/me/culture-profile/questionnaire', 'jwt'],
    ['GET', '/orgs/me/matches', 'jwt'],
    ['POST', '/orgs/{org_id}/sso/configure', 'jwt'],
    ['GET', '/orgs/{org_id}/sso/configuration', 'jwt'],
  ],
  Credentials: [
    ['POST', '/credentials/issue', 'jwt'],
    ['GET', '/credentials/', 'jwt'],
    ['GET', '/credentials/{credential_id}', 'jwt'],
    ['GET', '/credentials/{credential_id}/verify', 'public'],
    ['GET', '/credentials/verify', 'public'],
    ['POST', '/credentials/{credential_id}/revoke', 'jwt'],
    ['GET', '/credentials/.well-known/service-keys.json', 'public'],
  ],
  Exports: [
    ['GET', '/exports/member/{member_id}/gdpr-data', 'jwt'],
    ['GET', '/exports/org/{org_id}/bias-report', 'jwt'],
    ['GET', '/exports/org/{org_id}/matches', 'jwt'],
    ['GET', '/exports/match/{match_id}/detail-report', 'jwt'],
  ],
  Marketplace: [
    ['POST', '/marketplace/transactions', 'jwt'],
    ['GET', '/marketplace/my-earnings', 'jwt'],
    ['GET', '/marketplace/my-purchases', 'jwt'],
    ['GET', '/marketplace/transactions/{transaction_id}', 'jwt'],
  ],
  Webhooks: [
    ['POST', '/webhooks/', 'jwt'],
    ['GET', '/webhooks/', 'jwt'],
    ['GET', '/webhooks/{subscription_id}', 'jwt'],
    ['PATCH', '/webhooks/{subscription_id}', 'jwt'],
    ['DELETE', '/webhooks/{subscription_id}', 'jwt'],
    ['GET', '/webhooks/{subscription_id}/deliveries', 'jwt'],
    ['POST', '/webhooks/{subscription_id}/test', 'jwt'],
    ['GET', '/webhooks/events', 'jwt'],
  ],
};

/** The 76 REST rows of the specification's section 4, in its order. `tidy.ts` compares `src/tables/api.ts` with them. */
export const specification: readonly SpecifiedRow[] = Object.entries(sections).flatMap(([section, rows]) =>
  rows.map(([method, path, auth]) => ({ section, method, path, auth })),
);
