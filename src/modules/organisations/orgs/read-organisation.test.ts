import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

test('returns the caller’s organisation, with null for fields that are not set', async () => {
  proves('org-record-fields', 'org-get-endpoint-jwt');
  const { token, org_id } = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const { status, body } = await app.request('GET', '/orgs/me', { token });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: org_id,
    name: 'Harbour Health',
    industry: null,
    size: null,
    tier: 'E1 Explorer',
    headquarters_country: null,
    website: null,
    created_at: app.clock.now().toISOString(),
  });
});

test('returns the size mid_market and the tiers partner and E3 Operator as they are stored', async () => {
  proves('org-size-value-mid-market', 'org-tier-value-partner', 'org-tier-named-e3-operator');
  const { token, org_id } = await app.registerOrgAdmin();
  for (const tier of ['partner', 'E3 Operator']) {
    await app.sql.run(sql`
      update organisations set size = 'mid_market', tier = ${tier}, industry = 'health', headquarters_country = 'AU',
        website = 'https://harbour.example' where id = ${org_id}`);
    const { body } = await app.request('GET', '/orgs/me', { token });
    expect(body).toMatchObject({ size: 'mid_market', tier, industry: 'health', headquarters_country: 'AU' });
    expect(body.website).toBe('https://harbour.example');
  }
});

test('returns each caller’s own organisation and no other', async () => {
  const [ours, theirs] = [
    await app.registerOrgAdmin({ name: 'Ours' }),
    await app.registerOrgAdmin({ name: 'Theirs' }),
  ];
  expect((await app.request('GET', '/orgs/me', { token: ours.token })).body.id).toBe(ours.org_id);
  expect((await app.request('GET', '/orgs/me', { token: theirs.token })).body.id).toBe(theirs.org_id);
});

test('rejects an unknown field', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await app.request('GET', '/orgs/me?org_id=1', { token });
  expect(status).toBe(422);
  expect(body.errors[0].pointer).toBe('/org_id');
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await app.request('GET', '/orgs/me');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('refuses members and platform administrators', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await app.request('GET', '/orgs/me', { token });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});
