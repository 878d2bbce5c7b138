import { expect, test } from 'vitest';
import { setTier } from '#modules/organisations/orgs';
import { startApp } from './harness.ts';
import { nurse } from './modules/jobs.ts';

const app = await startApp();
const [member, admin, operator] = [
  await app.registerMember(),
  await app.registerOrgAdmin(),
  await app.registerPlatformAdmin(),
];
await setTier(app.platform, { org: admin.org_id, tier: 'E3 Operator' });

const id = '00000000-0000-4000-8000-000000000000';
const callers = { nobody: {}, member, admin, operator } as const;
const email_domains = ['gmail.com', '*'];

type Case = readonly [
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  who: keyof typeof callers,
  body: object,
  pointers: readonly string[],
];

/** Each body has faults that the schema finds and faults that it cannot find. */
const cases: readonly Case[] = [
  [
    'POST',
    `/matches/${id}/outcome`,
    'admin',
    {
      outcome: 'placed',
      placed_at: '2036-01-01T00:00:00Z',
      ended_at: '2056-01-01T00:00:00Z',
      reason: '',
    },
    ['/ended_at', '/placed_at', '/reason'],
  ],
  [
    'POST',
    '/auth/register',
    'nobody',
    { email: 'x', password: 'weak', role: 'org_admin' },
    ['/email', '/name', '/password'],
  ],
  [
    'POST',
    '/auth/register',
    'nobody',
    { email: 'a@b.example', password: 'Password123!', role: 'org_admin' },
    ['/name', '/password'],
  ],
  ['POST', '/auth/registrations', 'nobody', { email: 'x', role: 'org_admin' }, ['/email', '/name']],
  ['POST', '/auth/registrations/open', 'nobody', { password: 'weak' }, ['/password', '/token']],
  [
    'POST',
    '/auth/handles',
    'nobody',
    { handle: 'A', password: 'weak', email: 'x' },
    ['/email', '/handle', '/password'],
  ],
  ['POST', '/auth/reset-password', 'nobody', { new_password: 'weak' }, ['/new_password', '/token']],
  [
    'POST',
    '/auth/change-password',
    'member',
    { new_password: 'weak' },
    ['/current_password', '/new_password'],
  ],
  ['POST', '/auth/accept-invitation', 'nobody', { password: 'weak' }, ['/password', '/token']],
  [
    'POST',
    '/identity/claim',
    'nobody',
    { email: 'x', password: 'weak', tos_accepted: true },
    ['/claim_code', '/email', '/password'],
  ],
  [
    'POST',
    '/orgs/me/jobs',
    'admin',
    {
      ...nurse,
      title: '',
      salary_min: 2,
      salary_max: 1,
      salary_currency: null,
      trait_priorities: { x: 1 },
      constraints: { location_states: ['NSW'] },
    },
    ['/constraints/location_states', '/salary_currency', '/salary_max', '/title', '/trait_priorities/x'],
  ],
  [
    'PATCH',
    `/orgs/me/jobs/${id}`,
    'admin',
    { title: '', salary_min: 2, salary_max: 1, trait_priorities: { x: 1 } },
    ['/salary_max', '/title', '/trait_priorities/x'],
  ],
  [
    'PUT',
    '/members/me/matching-preferences',
    'member',
    { salary_min: 1, clearance_held: 'x' },
    ['/clearance_held', '/salary_currency'],
  ],
  ['POST', '/matches/compute?all=true', 'operator', {}, ['/all', '/job_id']],
  ['POST', '/matches/x/response', 'member', { decision: 'decline', note: 'n' }, ['/match_id', '/note']],
  [
    'POST',
    `/orgs/${admin.org_id}/sso/configure`,
    'admin',
    { idp_entity_id: 'a', idp_sso_url: 'http://a.example/', idp_certificates: ['a', 'b'], email_domains },
    ['/email_domains/1', '/idp_certificates/0', '/idp_certificates/1', '/idp_sso_url'],
  ],
  [
    'POST',
    `/orgs/${admin.org_id}/sso/configure`,
    'admin',
    { idp_metadata_xml: '<a/>', email_domains: ['gmail.com'], default_role: 'org_admin' },
    ['/default_role', '/email_domains/0', '/idp_metadata_xml'],
  ],
  [
    'POST',
    '/webhooks/',
    'admin',
    { url: 'http://127.0.0.1/', secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAA', events: ['x'] },
    ['/events/0', '/secret', '/url'],
  ],
  ['PATCH', '/orgs/me', 'admin', { name: '', website: 'http://a' }, ['/name', '/website']],
  [
    'POST',
    '/credentials/issue',
    'member',
    {
      credential_type: 'org_validation',
      claims: { trait_coverage: 0.5, archetype: 'compass' },
      expiry_days: 0,
    },
    ['/attestation_tier', '/claims/archetype', '/claims/trait_coverage', '/expiry_days'],
  ],
  [
    'POST',
    '/marketplace/transactions',
    'admin',
    { member_id: 'x', org_id: admin.org_id, data_type: 'archetype', price_aud: 0.1234567 },
    ['/member_id', '/price_aud'],
  ],
  [
    'POST',
    '/members/me/payouts',
    'member',
    { amount: 0.1234567, destination: `0x${'0'.repeat(40)}` },
    ['/amount', '/destination'],
  ],
];

test.each(cases)(
  '%s %s tells all faults of a request of %s in one reply',
  async (method, path, who, body, pointers) => {
    const caller: { readonly token?: string } = callers[who];
    const reply = await app.request(method, path, { ...(caller.token && { token: caller.token }), body });
    expect(reply.status).toBe(422);
    const named = (reply.body.errors as readonly { readonly pointer: string }[]).map(
      ({ pointer }) => pointer,
    );
    expect([...new Set(named)].toSorted()).toEqual(pointers);
  },
);
